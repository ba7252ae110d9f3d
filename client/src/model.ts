/** What the library hands over: characters, motions, things drawn; the same in page and studio. */

export interface Character {
  id: string;
  name: string;
  /** "#rrggbb" */
  color: string;
  names: string[];
  parents: number[];
  /** Per joint from its parent, metres; [J, 3]. */
  offsets: Float32Array;
  /** Joint index by role. */
  roles: Record<string, number>;
  /** -1 right, 0 middle, 1 left. */
  sides: Int8Array;
  skin: Skin | null;
}

export interface Skin {
  /** In the rest pose, metres; [V, 3]. */
  vertices: Float32Array;
  /** [F, 3] */
  faces: Uint32Array;
  /** [V, 4] */
  joints: Uint16Array;
  /** [V, 4] */
  weights: Float32Array;
}

export type Quality = "preview" | "search" | "final";

/** Frames [first, first + n) of `total`. */
export interface MotionPart {
  who: string;
  fps: number;
  total: number;
  first: number;
  n: number;
  /** Local rotations, w x y z times 32767; [n, J, 4]. */
  quats: Int16Array;
  /** World position of joint 0, metres; [n, 3]. */
  root: Float32Array;
  /** Per foot, 1 where it bears; [n]. */
  contacts: Record<string, Uint8Array>;
  quality: Quality;
  rev: number;
}

/** Something drawn in the world: a checkpoint, a target, a path, a solid. */
export interface Drawable {
  kind: string;
  who?: string;
  time?: number;
  label?: string;
  [field: string]: unknown;
}
