/** Speeds of bodies over time, for the curves. */
import { traceJoints } from "../kinematics";
import type { Cloud } from "../model";
import type { Figure } from "../scene/figure";

/** Speed on the ground by differences over about 1/30 s to both sides, so that noise is not speed. */
export function speedOf(places: Float32Array, fps: number): Float32Array {
  const count = places.length / 3;
  const out = new Float32Array(count);
  const span = Math.max(Math.round(fps / 30), 1);
  if (count < 3) return out;
  for (let i = 0; i < count; i++) {
    const a = Math.max(i - span, 0);
    const b = Math.min(i + span, count - 1);
    const dx = (places[b * 3] as number) - (places[a * 3] as number);
    const dz = (places[b * 3 + 2] as number) - (places[a * 3 + 2] as number);
    out[i] = (Math.hypot(dx, dz) * fps) / (b - a);
  }
  return out;
}

export function figureSpeed(figure: Figure): Float32Array {
  const { track, character } = figure;
  if (!track) return new Float32Array(0);
  return speedOf(traceJoints(character, track, [character.roles.hips ?? 0]), track.fps);
}

/** Speed of the middle of all points that are there. */
export function cloudSpeed(cloud: Cloud): Float32Array {
  const many = cloud.n > 0 ? cloud.steps.length / cloud.n : 0;
  const middles = new Float32Array(cloud.n * 3);
  for (let frame = 0; frame < cloud.n; frame++) {
    let seen = 0;
    for (let i = frame * many; i < (frame + 1) * many; i++) {
      if (cloud.steps[i] === 255) continue;
      seen++;
      for (let k = 0; k < 3; k++) {
        middles[frame * 3 + k] = (middles[frame * 3 + k] as number) + (cloud.points[i * 3 + k] as number);
      }
    }
    const before = Math.max(frame - 1, 0) * 3;
    for (let k = 0; k < 3; k++) {
      const at = frame * 3 + k;
      middles[at] = seen > 0 ? (middles[at] as number) / seen : (middles[before + k] as number);
    }
  }
  return speedOf(middles, cloud.fps);
}

/** A value that few are above: a single jump must not flatten all the rest. */
export function highest(speeds: readonly Float32Array[]): number {
  const tops = speeds.map((speed) => {
    const sorted = Float32Array.from(speed).sort();
    return 1.2 * (sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0);
  });
  return Math.max(0.1, ...tops);
}
