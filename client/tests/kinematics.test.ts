import { describe, expect, it } from "vitest";
import { forward, newWorldPose, traceJoints } from "../src/kinematics";
import type { Skin } from "../src/model";
import { PoseSkeleton } from "../src/scene/skeleton";
import { Track } from "../src/track";
import { readFixture } from "./fixture";

const { character, motion, frames, positions, between, step, skin } = await readFixture();

function largest(found: ArrayLike<number>, wanted: number[][]): number {
  return Math.max(...wanted.flat().map((value, i) => Math.abs(value - (found[i] as number))));
}

describe("kinematics", () => {
  it("puts joints where the library has them", () => {
    const track = new Track(motion, character.parents.length);
    const pose = track.newPose();
    const world = newWorldPose(track.nJoints);
    frames.forEach((frame, i) => {
      track.sample(frame, pose);
      forward(character, pose, track.moved, world);
      expect(largest(world.positions, positions[i] as number[][])).toBeLessThan(2e-4);
    });
  });

  it("turns joints between frames by the shortest way", () => {
    const track = new Track(motion, character.parents.length);
    const pose = track.newPose();
    track.sample(7.5, pose);
    between.forEach((quat, joint) => {
      const dot = quat.reduce((sum, value, k) => sum + value * (pose.quats[joint * 4 + k] as number), 0);
      expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-6);
    });
  });

  it("carries the skin", () => {
    const track = new Track(motion, character.parents.length);
    const pose = track.newPose();
    const world = newWorldPose(track.nJoints);
    const body = character.skin as Skin;
    const bones = new PoseSkeleton(body, world);
    frames.forEach((frame, i) => {
      track.sample(frame, pose);
      forward(character, pose, track.moved, world);
      bones.changed();
      bones.update();
      const wanted = skin[i] as number[][];
      const found = wanted.flatMap((_, k) => skinned(body, bones.boneMatrices as Float32Array, k * step));
      expect(largest(found, wanted)).toBeLessThan(4e-4);
    });
  });

  it("follows joints over time", () => {
    const track = new Track(motion, character.parents.length);
    const traced = traceJoints(character, track, [0, 3], 7);
    expect(traced.length).toBe(3 * 2 * 3);
    expect(largest(traced.subarray(6, 9), [positions[1]?.[0] as number[]])).toBeLessThan(2e-4);
  });

  it("moves joints in their parents where the motion says so", () => {
    const moves = new Float32Array(motion.n * 3);
    for (let i = 0; i < motion.n; i++) moves[i * 3 + 1] = 0.5;
    const track = new Track({ ...motion, moved: [3], moves }, character.parents.length);
    const traced = traceJoints(character, track, [2, 3]);
    expect((traced[4] as number) - (traced[1] as number)).toBeCloseTo(0.5, 3);
  });
});

/** A vertex by linear blend skinning. */
function skinned(body: Skin, matrices: Float32Array, vertex: number): number[] {
  const out = [0, 0, 0];
  for (let slot = 0; slot < 4; slot++) {
    const weight = body.weights[vertex * 4 + slot] as number;
    const at = (body.joints[vertex * 4 + slot] as number) * 16;
    for (let row = 0; row < 3; row++) {
      let value = matrices[at + 12 + row] as number;
      for (let k = 0; k < 3; k++) {
        value += (matrices[at + 4 * k + row] as number) * (body.vertices[vertex * 3 + k] as number);
      }
      out[row] = (out[row] as number) + weight * value;
    }
  }
  return out;
}
