/** A character on the stage: its body, its ghost, and what its motion leaves on the ground. */
import { Group, Vector3, type BufferGeometry } from "three";
import { traceJoints } from "../kinematics";
import type { Character, MotionPart, Point3 } from "../model";
import { Track } from "../track";
import { Body, bodyMaterial, skinGeometry } from "./body";
import { tallOf } from "./size";
import type { Palette } from "./colors";
import { Shadow } from "./shadow";
import type { HeightOf } from "./terrain";
import { FootTraces } from "./traces";
import { Trail } from "./trail";

export class Figure {
  readonly group = new Group();
  readonly body: Body;
  readonly trail: Trail;
  track: Track | null = null;
  private readonly shadow: Shadow;
  private readonly traces: FootTraces;
  private readonly geometry: BufferGeometry | null;
  private ghost: { track: Track; body: Body } | null = null;

  constructor(
    readonly character: Character,
    private palette: Palette,
    private height: HeightOf,
  ) {
    const { skin, shift } = character;
    this.geometry = skin ? skinGeometry(character, skin) : null;
    this.body = new Body(character, this.geometry, bodyMaterial());
    this.trail = new Trail(character, palette, height);
    this.shadow = new Shadow(character, palette.shadow, height);
    this.traces = new FootTraces(character);
    this.group.add(this.trail.group, this.shadow.mesh, this.traces.lines);
    if (this.body.mesh) this.group.add(this.body.mesh);
    if (shift) this.group.position.set(...shift);
    this.group.visible = false;
  }

  /** Take in a motion, or a part of one. */
  setMotion(part: MotionPart): Track {
    const fits = this.track !== null && this.track.moved.join() === (part.moved ?? []).join();
    if (this.track !== null && fits) this.track.splice(part);
    else {
      this.track = new Track(part, this.character.parents.length);
      this.body.reset();
    }
    this.group.visible = this.track.total > 0;
    this.trail.rebuild(this.track, this.palette, this.height);
    return this.track;
  }

  /** Show another motion translucently beside the own one; null hides it. */
  setGhost(track: Track | null): void {
    if (this.ghost?.body.mesh) this.group.remove(this.ghost.body.mesh);
    this.ghost?.body.dispose();
    this.ghost = null;
    if (track === null) return;
    const material = bodyMaterial({ color: this.palette.text, opacity: 0.28 });
    const body = new Body(this.character, this.geometry, material);
    if (body.mesh) {
      body.mesh.renderOrder = 2;
      this.group.add(body.mesh);
    }
    this.ghost = { track, body };
  }

  /** Whether foot traces around the present are drawn. */
  setTraces(shown: boolean): void {
    this.traces.lines.visible = shown;
  }

  /** Its own frame at the moment of frame `frame` of `fps`; the same frame without a rate. */
  frameAt(frame: number, fps: number | null): number {
    if (fps === null || this.track === null || this.track.fps === fps) return frame;
    return (frame / fps) * this.track.fps;
  }

  show(frame: number): void {
    if (this.track === null) return;
    if (this.body.show(this.track, frame)) {
      this.trail.show(Math.min(frame, this.track.total - 1));
      this.shadow.show(this.body.world.positions);
      this.traces.show(this.track, frame);
    }
    this.ghost?.body.show(this.ghost.track, frame);
  }

  /** Where a joint is now, in the scene. */
  jointAt(joint: number): Vector3 {
    const at = this.body.world.positions;
    const place: Point3 = [at[joint * 3] ?? 0, at[joint * 3 + 1] ?? 0, at[joint * 3 + 2] ?? 0];
    return new Vector3(...place).add(this.group.position);
  }

  /** Where the hips are now, in the scene. */
  get center(): Vector3 {
    return this.jointAt(this.character.roles.hips ?? 0);
  }

  /** Places around the body over its whole motion, in the scene. */
  landmarks(): Vector3[] {
    if (this.track === null) return [];
    const hips = this.character.roles.hips ?? 0;
    const step = Math.max(Math.floor(this.track.total / 200), 1);
    const places = traceJoints(this.character, this.track, [hips], step);
    const tall = tallOf(this.character);
    const [half, aside] = [0.55 * tall, 0.28 * tall];
    const out: Vector3[] = [];
    for (let i = 0; i < places.length; i += 3) {
      const at = new Vector3(places[i], places[i + 1], places[i + 2]).add(this.group.position);
      for (const [x, z] of [[aside, 0], [-aside, 0], [0, aside], [0, -aside]] as const) {
        out.push(new Vector3(at.x + x, at.y + half, at.z + z), new Vector3(at.x + x, at.y - half, at.z + z));
      }
    }
    return out;
  }

  /** Other colours or another ground. */
  paint(palette: Palette, height: HeightOf): void {
    this.palette = palette;
    this.height = height;
    this.shadow.paint(palette.shadow, height);
    if (this.track === null) return;
    this.trail.rebuild(this.track, palette, height);
    this.trail.show(0);
    this.body.reset();
  }

  dispose(): void {
    this.setGhost(null);
    this.trail.dispose();
    this.shadow.dispose();
    this.traces.dispose();
    this.body.dispose();
    this.geometry?.dispose();
  }
}

/** The middle of the hips of some figures; null without any. */
export function middleOf(figures: readonly Figure[]): Vector3 | null {
  if (figures.length === 0) return null;
  const sum = figures.reduce((total, figure) => total.add(figure.center), new Vector3());
  return sum.divideScalar(figures.length);
}
