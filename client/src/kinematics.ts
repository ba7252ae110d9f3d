/** World positions and rotations of joints from a local pose. */
import type { Character } from "./model";
import type { LocalPose, Track } from "./track";

/** World positions [J, 3] (metres) and rotations [J, 4] (w x y z). */
export interface WorldPose {
  positions: Float32Array;
  rotations: Float32Array;
}

export function newWorldPose(nJoints: number): WorldPose {
  return { positions: new Float32Array(nJoints * 3), rotations: new Float32Array(nJoints * 4) };
}

type Body = Pick<Character, "parents" | "offsets">;

/** Turn the vector at `v` by the quaternion at `q` and add it to `out`. */
function addRotated(q: Float32Array, qi: number, v: ArrayLike<number>, vi: number, out: Float32Array, oi: number): void {
  const w = q[qi] as number;
  const x = q[qi + 1] as number;
  const y = q[qi + 2] as number;
  const z = q[qi + 3] as number;
  const vx = v[vi] as number;
  const vy = v[vi + 1] as number;
  const vz = v[vi + 2] as number;
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[oi] = (out[oi] as number) + vx + w * tx + y * tz - z * ty;
  out[oi + 1] = (out[oi + 1] as number) + vy + w * ty + z * tx - x * tz;
  out[oi + 2] = (out[oi + 2] as number) + vz + w * tz + x * ty - y * tx;
}

/** Hamilton product of the quaternions at `ai` and `bi`. */
function multiply(a: Float32Array, ai: number, b: Float32Array, bi: number, out: Float32Array, oi: number): void {
  const aw = a[ai] as number;
  const ax = a[ai + 1] as number;
  const ay = a[ai + 2] as number;
  const az = a[ai + 3] as number;
  const bw = b[bi] as number;
  const bx = b[bi + 1] as number;
  const by = b[bi + 2] as number;
  const bz = b[bi + 3] as number;
  out[oi] = aw * bw - ax * bx - ay * by - az * bz;
  out[oi + 1] = aw * bx + ax * bw + ay * bz - az * by;
  out[oi + 2] = aw * by - ax * bz + ay * bw + az * bx;
  out[oi + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/** Joints whose places need no others than these: some joints and all above them, in order. */
export function chainOf(body: Pick<Character, "parents">, joints: readonly number[]): number[] {
  const above = new Set<number>();
  for (let joint of joints) {
    for (; joint > 0 && !above.has(joint); joint = body.parents[joint] as number) above.add(joint);
  }
  return [...above].sort((a, b) => a - b);
}

/** Forward kinematics; `moved` lists the joints whose places `pose.moves` holds, `joints` those that
 * are wanted, of `chainOf`. */
export function forward(
  body: Body, pose: LocalPose, moved: readonly number[], world: WorldPose, joints?: readonly number[],
): void {
  const { positions, rotations } = world;
  positions.set(pose.root, 0);
  rotations.set(pose.quats.subarray(0, 4), 0);
  const count = joints?.length ?? body.parents.length - 1;
  for (let k = 0; k < count; k++) {
    const joint = joints?.[k] ?? k + 1;
    const parent = body.parents[joint] as number;
    for (let i = 0; i < 3; i++) positions[joint * 3 + i] = positions[parent * 3 + i] as number;
    const slot = moved.length > 0 ? moved.indexOf(joint) : -1;
    const place = slot < 0 ? body.offsets : pose.moves;
    addRotated(rotations, parent * 4, place, (slot < 0 ? joint : slot) * 3, positions, joint * 3);
    multiply(rotations, parent * 4, pose.quats, joint * 4, rotations, joint * 4);
  }
}

/** Places of some joints in every `step`-th frame, [ceil(total / step), joints, 3], metres. */
export function traceJoints(body: Body, track: Track, joints: readonly number[], step = 1): Float32Array {
  const count = Math.ceil(track.total / step);
  const out = new Float32Array(count * joints.length * 3);
  const pose = track.newPose();
  const world = newWorldPose(track.nJoints);
  const chain = chainOf(body, joints);
  for (let i = 0; i < count; i++) {
    track.sample(i * step, pose, chain);
    forward(body, pose, track.moved, world, chain);
    joints.forEach((joint, k) => {
      out.set(world.positions.subarray(joint * 3, joint * 3 + 3), (i * joints.length + k) * 3);
    });
  }
  return out;
}
