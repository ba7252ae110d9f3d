import { describe, expect, it } from "vitest";
import { runsOf, facingOf, printsOf } from "../src/scene/trail";
import { solidGeometry } from "../src/scene/solids";
import { arrowShape, onGround, ribbon } from "../src/scene/shapes";
import { heightOf } from "../src/scene/terrain";
import { speedOf } from "../src/page/speeds";
import { Track } from "../src/track";
import type { BufferGeometry } from "three";
import { readFixture } from "./fixture";

/** Volume inside a closed surface whose faces look outwards. */
function volume(geometry: BufferGeometry): number {
  const at = geometry.getAttribute("position");
  const index = geometry.getIndex();
  let sum = 0;
  for (let i = 0; index && i < index.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const v = index.getX(i + k);
      return [at.getX(v), at.getY(v), at.getZ(v)] as const;
    }) as [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

describe("solids", () => {
  it("are closed and look outwards", () => {
    const box = solidGeometry({ kind: "box", center: [1, 2], size: [1, 0.4], angle: 30, top: 0.7 });
    const round = solidGeometry({ kind: "cylinder", center: [0, 0], radius: 0.5, bottom: 0.2, top: 1.2 });
    expect(volume(box as BufferGeometry)).toBeCloseTo(0.28, 5);
    expect(volume(round as BufferGeometry)).toBeCloseTo(Math.PI * 0.25, 1);
  });

  it("of other kinds are none", () => {
    expect(solidGeometry({ kind: "ring", position: [0, 0] })).toBeNull();
  });

  it("are turned from +Z towards +X", () => {
    const stairs = solidGeometry({ kind: "stairs", start: [0, 0], heading: 90, rise: 0.2, tread: 0.3, steps: 3, width: 1 });
    stairs?.computeBoundingBox();
    const box = stairs?.boundingBox;
    expect(box?.max.x).toBeCloseTo(1.2);
    expect(box?.max.y).toBeCloseTo(0.6);
    expect(box?.max.z).toBeCloseTo(0.5);
  });
});

describe("the ground", () => {
  const stairs = { kind: "stairs", start: [0, 1], heading: 0, rise: 0.17, tread: 0.3, steps: 3, width: 2 };

  it("rises by steps, and only within the width", () => {
    const height = heightOf([stairs]);
    expect([0.5, 1.1, 1.4, 9].map((z) => height(0, z))).toEqual([0, 0.17, 0.34, 0.51]);
    expect(height(1.5, 9)).toBe(0);
  });

  it("is level behind what rises as far as the landing", () => {
    const height = heightOf([{ ...stairs, landing: 1 }]);
    expect([2.5, 2.7].map((z) => height(0, z))).toEqual([0.51, 0]);
    const geometry = solidGeometry({ ...stairs, landing: 1 });
    geometry?.computeBoundingBox();
    expect(geometry?.boundingBox?.max.z).toBeCloseTo(2.6);
  });

  it("is the sum of its surfaces", () => {
    const slope = { kind: "slope", start: [0, 0], heading: 0, steepness: 45, length: 2 };
    const map = { kind: "heightmap", heights: [[0, 1], [0, 1]], origin: [0, 0], cell: 1 };
    const height = heightOf([slope, map, { kind: "ring", position: [0, 0] }]);
    expect(height(0.5, 0.5)).toBeCloseTo(1);
    expect(height(-1, 5)).toBeCloseTo(2);
  });
});

describe("flat shapes", () => {
  it("look up", () => {
    for (const shape of [onGround(arrowShape(1, 0.1, 0.2)), ribbon([0, 0, 0, 0, 0, 1, 0, 0, 2], 0.1)]) {
      const normals = shape.getAttribute("normal");
      for (let i = 0; i < normals.count; i++) expect(normals.getY(i)).toBeGreaterThan(0.99);
    }
  });
});

describe("what a motion leaves", () => {
  it("is a print for every run of contact", async () => {
    const { character, motion } = await readFixture();
    const track = new Track(motion, character.parents.length);
    const prints = printsOf(character, track);
    const runs = Object.values(motion.contacts).flatMap(runsOf);
    expect(prints.map(({ first, last }) => [first, last])).toEqual(runs);
    expect(new Set(prints.map(({ side }) => side))).toEqual(new Set([1, -1]));
    for (const { heading } of prints) expect(heading).toBeCloseTo(0, 2);
  });

  it("has runs that end with the motion", () => {
    expect(runsOf(Uint8Array.from([1, 0, 1, 1]))).toEqual([[0, 0], [2, 3]]);
  });

  it("faces ahead of its hips", () => {
    const roles = { left_hip: 0, right_hip: 1 };
    expect(facingOf({ roles }, Float32Array.from([1, 0, 0, -1, 0, 0]))).toBeCloseTo(0);
    expect(facingOf({ roles }, Float32Array.from([0, 0, -1, 0, 0, 1]))).toBeCloseTo(Math.PI / 2);
  });

  it("has a speed", () => {
    const places = Float32Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? i / 3 / 30 : 0));
    for (const value of speedOf(places, 30)) expect(value).toBeCloseTo(1, 4);
    expect([...speedOf(new Float32Array(3), 30)]).toEqual([0]);
  });
});
