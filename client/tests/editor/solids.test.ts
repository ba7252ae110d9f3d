import { describe, expect, it } from "vitest";
import { at } from "../../src/editor/doc/document";
import { clearPlace, distance, outline } from "../../src/editor/doc/footprint";
import { apply } from "../../src/editor/doc/ops";
import { addSolid, nextSolid, SHAPES, solidsOf, turnSolid } from "../../src/editor/doc/solids";
import { DOC } from "./example";

const stairs = SHAPES["stairs"]?.fields ?? {};
const post = SHAPES["post"]?.fields ?? {};

describe("what a solid covers", () => {
  it("is its outline, closed", () => {
    const [first, , third, , last] = outline(stairs, [0, 0]);
    expect(last).toEqual(first);
    expect(first?.map((v) => Math.abs(v))).toEqual([1, 0.3]);
    expect(third?.[1]).toBeCloseTo(2.4);
  });
  it("turns with it", () => {
    const turned = { ...stairs, heading: 90 };
    expect(distance(turned, [0, 0], [1.4, 0.9])).toBe(0);
    expect(distance(stairs, [0, 0], [1.4, 0.9])).toBeCloseTo(0.4);
  });
  it("is no ring: the nearest place beside it is taken", () => {
    for (const fields of [stairs, post]) {
      const place = clearPlace(fields, [1.5, 2.5], [[1.5, 2.5], [0, 0]]);
      expect(distance(fields, place, [1.5, 2.5])).toBeGreaterThanOrEqual(0.4);
      expect(distance(fields, place, [0, 0])).toBeGreaterThanOrEqual(0.4);
    }
    expect(clearPlace(post, [5, 5], [[0, 0]])).toEqual([5, 5]);
  });
});

it("a solid is added where its fields are shown then, and turned", () => {
  const doc = apply(DOC, addSolid(DOC, "stairs", [4, 4], [[0, 0]]));
  expect(at(doc, nextSolid(DOC, "stairs") ?? [])).toMatchObject({ shape: "stairs", start: [4, 4] });
  const [solid] = solidsOf(doc);
  if (solid === undefined) throw new Error("no solid");
  expect(at(apply(doc, turnSolid(doc, solid, 30)), ["ground", 0, "heading"])).toBe(30);
});
