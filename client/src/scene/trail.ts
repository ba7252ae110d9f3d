/** What a motion leaves on the ground: the body's path, foot prints, and which feet bear now. */
import { BufferGeometry, Color, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { forward, newWorldPose, traceJoints } from "../kinematics";
import type { Character } from "../model";
import type { Track } from "../track";
import { tintsOf, type Palette } from "./colors";
import { tallOf, USUAL } from "./size";
import { onGround, ribbon, soleShape } from "./shapes";
import type { HeightOf } from "./terrain";

/** At most so many places of the body along its path, and prints of its feet. */
const MOST_PLACES = 2000;
const MOST_PRINTS = 3000;
/** Room for so many more prints, as the next motion may have a few more. */
const SPARE = 16;

type Soles = InstancedMesh<BufferGeometry, MeshBasicMaterial>;

/** How far things lie above the ground, so that it does not hide them, metres. */
const LIFT = 0.005;
const SOLE = 0.27;
/** Feet this far above the ground (metres) stand on something that is not told of. */
const HIGHER = 0.18;

/** One contact: who stood where, and in which frames. */
export interface Print {
  foot: string;
  side: number;
  first: number;
  last: number;
  place: [number, number, number];
  heading: number;
}

/** The joint of a foot as contacts call it: a role or a joint's name. */
export function jointOf(character: Pick<Character, "roles" | "names">, name: string): number {
  return character.roles[name] ?? character.names.indexOf(name);
}

/** Runs of frames in which a foot bears. */
export function runsOf(down: Uint8Array): [number, number][] {
  const runs: [number, number][] = [];
  let start = -1;
  for (let i = 0; i <= down.length; i++) {
    if (down[i] === 1 && start < 0) start = i;
    if (down[i] !== 1 && start >= 0) {
      runs.push([start, i - 1]);
      start = -1;
    }
  }
  return runs;
}

/** Every contact of a motion, where the foot is in the middle of it. */
export function printsOf(character: Character, track: Track): Print[] {
  const pose = track.newPose();
  const world = newWorldPose(track.nJoints);
  const prints: Print[] = [];
  for (const [foot, down] of Object.entries(track.contacts)) {
    const joint = jointOf(character, foot);
    if (joint < 0) continue;
    for (const [first, last] of runsOf(down)) {
      track.sample(Math.round((first + last) / 2), pose);
      forward(character, pose, track.moved, world);
      prints.push({ foot, side: character.sides[joint] ?? 0, first, last, ...standOf(character, joint, world.positions) });
    }
  }
  return prints.slice(0, MOST_PRINTS);
}

/** Where a foot stands and points: from the ankle to its toes, else from the knee outwards. */
function standOf(character: Character, joint: number, at: Float32Array): Pick<Print, "place" | "heading"> {
  const toe = character.parents.findIndex((parent, j) => parent === joint && j > 0);
  const [x, y, z] = [at[joint * 3], at[joint * 3 + 1], at[joint * 3 + 2]] as [number, number, number];
  if (toe < 0) return { place: [x, y, z], heading: facingOf(character, at) };
  const dx = (at[toe * 3] as number) - x;
  const dz = (at[toe * 3 + 2] as number) - z;
  const long = Math.hypot(dx, dz);
  if (long < 0.03) return { place: [x, y, z], heading: facingOf(character, at) };
  return { place: [x + 0.5 * dx, y, z + 0.5 * dz], heading: Math.atan2(dx, dz) };
}

/** Where the body faces: ahead of the line from its right hip to its left; radians from +Z to +X. */
export function facingOf(character: Pick<Character, "roles">, at: Float32Array): number {
  const { left_hip: left, right_hip: right } = character.roles;
  if (left === undefined || right === undefined) return 0;
  const dx = (at[left * 3] as number) - (at[right * 3] as number);
  const dz = (at[left * 3 + 2] as number) - (at[right * 3 + 2] as number);
  return Math.atan2(-dz, dx);
}

export class Trail {
  readonly group = new Group();
  private readonly path = new Mesh(new BufferGeometry(), new MeshBasicMaterial());
  private prints: Print[] = [];
  private faint: Soles | null = null;
  private room = 0;
  private readonly now: Soles;
  private readonly colors: [Color, Color, Color];
  private readonly size: number;

  constructor(
    private readonly character: Character,
    private palette: Palette,
    private height: HeightOf,
  ) {
    this.colors = tintsOf(character);
    this.size = tallOf(character) / USUAL;
    this.now = soles(4);
    this.now.count = 0;
    this.path.frustumCulled = false;
    this.group.add(this.now, this.path);
  }

  /** Another motion. */
  rebuild(track: Track, palette: Palette, height: HeightOf): void {
    this.palette = palette;
    this.height = height;
    this.prints = track.total < 1 ? [] : printsOf(this.character, track);
    this.now.count = 0;
    this.layPath(track);
    this.layPrints();
  }

  private layPrints(): void {
    const count = this.prints.length;
    if (count > this.room || this.faint === null) {
      this.dropPrints();
      this.room = count + SPARE;
      this.faint = soles(this.room);
      this.group.add(this.faint);
    }
    const { faint } = this;
    faint.count = count;
    this.prints.forEach((print, i) => { this.place(faint, i, print, 0.65); });
    faint.instanceMatrix.needsUpdate = true;
    if (faint.instanceColor) faint.instanceColor.needsUpdate = true;
  }

  /** Mark the feet that bear at a frame. */
  show(frame: number): void {
    const at = Math.round(frame);
    const bearing = this.prints.filter((print) => print.first <= at && at <= print.last).slice(0, 4);
    this.now.count = bearing.length;
    bearing.forEach((print, i) => {
      this.place(this.now, i, print, 0);
    });
    this.now.instanceMatrix.needsUpdate = true;
    if (this.now.instanceColor) this.now.instanceColor.needsUpdate = true;
  }

  private layPath(track: Track): void {
    const hips = this.character.roles.hips ?? 0;
    const step = Math.max(Math.ceil(track.total / MOST_PLACES), 1);
    const places = traceJoints(this.character, track, [hips], step);
    for (let i = 0; i < places.length; i += 3) {
      places[i + 1] = this.height(places[i] as number, places[i + 2] as number) + LIFT;
    }
    this.path.geometry.dispose();
    this.path.geometry = ribbon(apart(places, 0.04), 0.013);
    this.path.material.color.set(this.palette.path);
  }

  /** Draw a print, `pale` by this share. */
  private place(mesh: InstancedMesh, i: number, print: Print, pale: number): void {
    const [x, y, z] = print.place;
    const where = new Vector3(x, this.under(x, y, z, print) + (pale > 0 ? 0.8 : 1.6) * LIFT, z);
    const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), print.heading);
    const scale = SOLE * this.size * (1 - 0.15 * pale);
    mesh.setMatrixAt(i, new Matrix4().compose(where, turn, new Vector3(scale, 1, scale)));
    const [middle, left, right] = this.colors;
    const ink = print.side > 0 ? left : print.side < 0 ? right : middle;
    mesh.setColorAt(i, ink.clone().lerp(new Color(this.palette.ground), pale));
  }

  /** The ground below a foot; what it stands on where that is clearly something higher, such as a box. */
  private under(x: number, y: number, z: number, print: Print): number {
    const ground = this.height(x, z);
    const joint = jointOf(this.character, print.foot);
    const ankle = this.character.skin?.positions[joint * 3 + 1] ?? 0;
    return y - ankle > ground + HIGHER ? y - ankle : ground;
  }

  private dropPrints(): void {
    if (this.faint === null) return;
    this.group.remove(this.faint);
    free(this.faint);
    this.faint = null;
  }

  dispose(): void {
    this.dropPrints();
    free(this.now);
    this.path.geometry.dispose();
    this.path.material.dispose();
  }
}

/** Only the places [N, 3] that are at least so far from the one before, and the last. */
function apart(places: Float32Array, least: number): number[] {
  const kept: number[] = [];
  for (let i = 0; i < places.length; i += 3) {
    const [x, y, z] = places.subarray(i, i + 3) as unknown as [number, number, number];
    const away = Math.hypot(x - (kept.at(-3) ?? Infinity), z - (kept.at(-1) ?? Infinity));
    if (away >= least || i + 3 >= places.length) kept.push(x, y, z);
  }
  return kept;
}

function soles(count: number): Soles {
  const mesh = new InstancedMesh(onGround(soleShape(), 5), new MeshBasicMaterial(), count);
  mesh.frustumCulled = false;
  return mesh;
}

function free(mesh: Soles): void {
  mesh.geometry.dispose();
  mesh.material.dispose();
  mesh.dispose();
}
