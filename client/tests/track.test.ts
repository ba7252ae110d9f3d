import { describe, expect, it } from "vitest";
import type { MotionPart } from "../src/model";
import { Track } from "../src/track";

/** One joint that stands at `x` in all frames. */
function part(first: number, n: number, total: number, x: number, down = 0): MotionPart {
  const quats = new Int16Array(n * 4);
  const root = new Float32Array(n * 3);
  for (let i = 0; i < n; i++) {
    quats[i * 4] = 32767;
    root[i * 3] = x;
  }
  const contacts = { left_foot: new Uint8Array(n).fill(down) };
  return { who: "a", fps: 30, total, first, n, quats, root, contacts, quality: "final", rev: 0 };
}

const places = (track: Track): number[] => [...track.root].filter((_, i) => i % 3 === 0);

describe("tracks", () => {
  it("take parts in", () => {
    const track = new Track(part(0, 5, 5, 1, 1), 1);
    track.splice(part(2, 2, 5, 7));
    expect(places(track)).toEqual([1, 1, 7, 7, 1]);
    expect([0, 1, 2, 3, 4].map((i) => track.bears("left_foot", i))).toEqual([true, true, false, false, true]);
  });

  it("grow and shrink", () => {
    const track = new Track(part(0, 3, 3, 1), 1);
    track.splice(part(3, 2, 5, 2));
    expect(places(track)).toEqual([1, 1, 1, 2, 2]);
    track.splice(part(0, 1, 2, 4));
    expect(places(track)).toEqual([4, 1]);
    expect(track.total).toBe(2);
  });

  it("know no contacts of what a part without them replaces", () => {
    const down = { left_foot: Uint8Array.of(1, 1, 1) };
    const track = new Track({ ...part(0, 3, 3, 1), contacts: down }, 1);
    track.splice({ ...part(0, 2, 3, 1), contacts: {} });
    expect([...(track.contacts["left_foot"] ?? [])]).toEqual([0, 0, 1]);
  });

  it("change with every part, their copies do not", () => {
    const track = new Track(part(0, 3, 3, 1), 1);
    const copy = track.clone();
    const before = track.version;
    track.splice(part(0, 3, 3, 9));
    expect(track.version).toBeGreaterThan(before);
    expect(places(copy)).toEqual([1, 1, 1]);
  });

  it("hold their ends", () => {
    const track = new Track(part(0, 2, 2, 1), 1);
    track.root.set([3], 3);
    const pose = track.newPose();
    for (const [frame, x] of [[-5, 1], [0.25, 1.5], [99, 3]] as const) {
      track.sample(frame, pose);
      expect(pose.root[0]).toBeCloseTo(x);
    }
  });
});
