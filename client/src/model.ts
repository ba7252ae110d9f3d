/** What the library hands over: characters, motions, things drawn; the same in page and studio. */

export interface Character {
  id: string;
  name: string;
  /** "#rrggbb" */
  color: string;
  /** Colours of the middle, the left and the right of the body; made from `color` without it. */
  tints?: [string, string, string] | undefined;
  names: string[];
  parents: number[];
  /** Per joint from its parent, metres; [J, 3]. */
  offsets: Float32Array;
  /** Joint index by role. */
  roles: Record<string, number>;
  /** -1 right, 0 middle, 1 left. */
  sides: Int8Array;
  skin: Skin | null;
  /** Where its world lies in the scene, metres; used to stand figures side by side. */
  shift?: [number, number, number] | undefined;
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
  /** World places of the joints in the rest pose, metres; [J, 3]. */
  positions: Float32Array;
  /** World rotations of the joints in the rest pose, w x y z; [J, 4]. */
  rotations: Float32Array;
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
  /** Other joints that move in their parents. */
  moved?: number[] | undefined;
  /** Their places in their parents, metres; [n, K, 3]. */
  moves?: Float32Array | undefined;
  /** Per foot, 1 where it bears; [n]. */
  contacts: Record<string, Uint8Array>;
  quality: Quality;
  rev: number;
  /** Where it comes from, if it is not of the shot as it was last made. */
  origin?: Origin | undefined;
}

/** A clip as captured; what was made of an older text of the shot. */
export type Origin = "captured" | "older";

/** Something drawn in the world: a checkpoint, a target, a path, a solid. */
export interface Drawable {
  kind: string;
  who?: string;
  time?: number;
  label?: string;
  [field: string]: unknown;
}

/** Points over a motion, coloured by a value, such as the markers it was fitted to; or on their own. */
export interface Cloud {
  id: string;
  /** Whose world they lie in; none for points on their own. */
  who: string | null;
  name: string;
  labels: string[];
  fps: number;
  n: number;
  /** Metres; [n, M, 3]. */
  points: Float32Array;
  /** Index into `ramp`, 255 where there is no point; [n, M]. */
  steps: Uint8Array;
  ramp: string[];
  radius: number;
  shift?: [number, number, number] | undefined;
}

export type Point3 = [number, number, number];
export type Ground = [number, number];
