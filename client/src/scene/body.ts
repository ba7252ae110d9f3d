/** One skinned body that can take any pose: of a character, or of its ghost. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Matrix4,
  MeshLambertMaterial,
  SkinnedMesh,
  type Material,
} from "three";
import { forward, newWorldPose, type WorldPose } from "../kinematics";
import type { Character, Skin } from "../model";
import type { LocalPose, Track } from "../track";
import { tintsOf } from "./colors";
import { PoseSkeleton } from "./skeleton";

/** Geometry of a character's skin, with the colours of its sides; shared with its ghost. */
export function skinGeometry(character: Character, skin: Skin): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(skin.vertices, 3));
  geometry.setAttribute("skinIndex", new BufferAttribute(skin.joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(skin.weights, 4));
  geometry.setIndex(new BufferAttribute(skin.faces, 1));
  geometry.setAttribute("color", new BufferAttribute(sideColors(character, skin), 3));
  geometry.computeVertexNormals();
  return geometry;
}

function sideColors(character: Character, skin: Skin): Float32Array {
  const [middle, left, right] = tintsOf(character);
  const bySide = new Map<number, Color>([
    [0, middle],
    [1, left],
    [-1, right],
  ]);
  const count = skin.vertices.length / 3;
  const colors = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) {
    const joint = skin.joints[i * 4] as number;
    (bySide.get(character.sides[joint] ?? 0) ?? middle).toArray(colors, i * 3);
  }
  return colors;
}

/** How a body looks: solid, or a ghost in one colour. */
export function bodyMaterial(ghost?: { color: string; opacity: number }): Material {
  if (!ghost) return new MeshLambertMaterial({ vertexColors: true });
  return new MeshLambertMaterial({
    color: ghost.color,
    transparent: true,
    opacity: ghost.opacity,
    depthWrite: false,
  });
}

export class Body {
  readonly mesh: SkinnedMesh | null;
  readonly world: WorldPose;
  private readonly skeleton: PoseSkeleton | null;
  private pose: LocalPose | null = null;
  private shown = "";

  constructor(
    private readonly character: Character,
    geometry: BufferGeometry | null,
    material: Material,
  ) {
    this.world = newWorldPose(character.parents.length);
    this.mesh = null;
    this.skeleton = null;
    if (character.skin === null || geometry === null) return;
    this.skeleton = new PoseSkeleton(character.skin, this.world);
    this.mesh = new SkinnedMesh(geometry, material);
    this.mesh.bindMode = "detached";
    this.mesh.bind(this.skeleton, new Matrix4());
    this.mesh.frustumCulled = false;
  }

  /** Take the pose of a frame; whether anything changed. */
  show(track: Track, frame: number): boolean {
    const key = `${String(track.version)}/${String(frame)}`;
    if (key === this.shown || track.total === 0) return false;
    this.shown = key;
    this.pose ??= track.newPose();
    track.sample(frame, this.pose);
    forward(this.character, this.pose, track.moved, this.world);
    this.skeleton?.changed();
    return true;
  }

  /** Let what is inside be seen. */
  setTranslucent(opacity: number): void {
    const material = this.mesh?.material as Material | undefined;
    if (!material) return;
    material.transparent = opacity < 1;
    material.opacity = opacity;
    material.needsUpdate = true;
  }

  /** Another track may have other joints that move. */
  reset(): void {
    this.pose = null;
    this.shown = "";
  }

  dispose(): void {
    this.skeleton?.dispose();
  }
}
