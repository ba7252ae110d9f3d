/** A character's whole motion, put together from parts, and sampled between its frames. */
import type { MotionPart } from "./model";

/** A pose: local rotations (w x y z) [J, 4], place of joint 0, and of joints that move. */
export interface LocalPose {
  quats: Float32Array;
  root: Float32Array;
  moves: Float32Array;
}

export class Track {
  readonly who: string;
  fps: number;
  total = 0;
  readonly moved: number[];
  quats: Int16Array = new Int16Array(0);
  root: Float32Array = new Float32Array(0);
  moves: Float32Array = new Float32Array(0);
  contacts: Record<string, Uint8Array> = {};
  /** Grows with every change. */
  version = 0;

  constructor(
    part: MotionPart,
    readonly nJoints: number,
  ) {
    this.who = part.who;
    this.fps = part.fps;
    this.moved = part.moved ?? [];
    this.splice(part);
  }

  /** Put a part in the place of frames [first, first + n); the motion then has `total` frames. */
  splice(part: MotionPart): void {
    const resized = part.total !== this.total;
    const size = part.total;
    this.fps = part.fps;
    this.quats = grown(this.quats, size * this.nJoints * 4, resized, Int16Array);
    this.root = grown(this.root, size * 3, resized, Float32Array);
    this.moves = grown(this.moves, size * this.moved.length * 3, resized, Float32Array);
    this.quats.set(part.quats.subarray(0, part.n * this.nJoints * 4), part.first * this.nJoints * 4);
    this.root.set(part.root.subarray(0, part.n * 3), part.first * 3);
    if (part.moves) this.moves.set(part.moves, part.first * this.moved.length * 3);
    for (const foot of new Set([...Object.keys(this.contacts), ...Object.keys(part.contacts)])) {
      const whole = grown(this.contacts[foot] ?? new Uint8Array(0), size, resized, Uint8Array);
      const down = part.contacts[foot];
      if (down) whole.set(down.subarray(0, part.n), part.first);
      else whole.fill(0, part.first, part.first + part.n);
      this.contacts[foot] = whole;
    }
    this.total = size;
    this.version++;
  }

  /** All of it as one part; its arrays are shared. */
  asPart(): MotionPart {
    return {
      who: this.who,
      fps: this.fps,
      total: this.total,
      first: 0,
      n: this.total,
      quats: this.quats,
      root: this.root,
      moved: this.moved,
      moves: this.moves,
      contacts: this.contacts,
      quality: "final",
      rev: 0,
    };
  }

  /** A copy that later parts do not change, such as for a ghost. */
  clone(): Track {
    return new Track(this.asPart(), this.nJoints);
  }

  newPose(): LocalPose {
    return {
      quats: new Float32Array(this.nJoints * 4),
      root: new Float32Array(3),
      moves: new Float32Array(this.moved.length * 3),
    };
  }

  /** The pose at a frame, between frames by spherical interpolation; of some joints besides the
   * first, or of all. */
  sample(frame: number, pose: LocalPose, joints?: readonly number[]): void {
    if (this.total === 0) return;
    const at = Math.min(Math.max(frame, 0), this.total - 1);
    const a = Math.floor(at);
    const b = Math.min(a + 1, this.total - 1);
    const t = at - a;
    lerp(this.root, a * 3, b * 3, t, pose.root);
    const wide = this.moved.length * 3;
    if (wide > 0) lerp(this.moves, a * wide, b * wide, t, pose.moves);
    const stride = this.nJoints * 4;
    const count = joints?.length ?? this.nJoints - 1;
    for (let k = -1; k < count; k++) {
      const joint = k < 0 ? 0 : (joints?.[k] ?? k + 1);
      slerp(this.quats, a * stride + joint * 4, b * stride + joint * 4, t, pose.quats, joint * 4);
    }
  }

  /** Feet that bear at a frame. */
  bears(foot: string, frame: number): boolean {
    const down = this.contacts[foot];
    return down !== undefined && down[Math.min(Math.max(Math.round(frame), 0), this.total - 1)] === 1;
  }
}

type Numbers = Int16Array | Float32Array | Uint8Array;

function grown<T extends Numbers>(old: T, size: number, resized: boolean, Make: new (n: number) => T): T {
  if (!resized && old.length === size) return old;
  const next = new Make(size);
  next.set(old.subarray(0, Math.min(old.length, size)) as never);
  return next;
}

function lerp(from: Float32Array, a: number, b: number, t: number, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) {
    const start = from[a + i] as number;
    out[i] = start + t * ((from[b + i] as number) - start);
  }
}

/** Spherical interpolation of unit quaternions held as counts (Shoemake 1985); the result has length 1. */
export function slerp(
  from: Int16Array,
  a: number,
  b: number,
  t: number,
  out: Float32Array,
  at: number,
): void {
  let dot = 0;
  for (let i = 0; i < 4; i++) dot += (from[a + i] as number) * (from[b + i] as number);
  const sign = dot < 0 ? -1 : 1;
  const cosine = Math.min(Math.abs(dot) / (32767 * 32767), 1);
  let u = 1 - t;
  let v = t;
  if (cosine < 0.9995) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    u = Math.sin(u * angle) / sine;
    v = Math.sin(v * angle) / sine;
  }
  v *= sign;
  let square = 0;
  for (let i = 0; i < 4; i++) {
    const value = u * (from[a + i] as number) + v * (from[b + i] as number);
    out[at + i] = value;
    square += value * value;
  }
  const scale = 1 / Math.sqrt(square || 1);
  for (let i = 0; i < 4; i++) out[at + i] = (out[at + i] as number) * scale;
}
