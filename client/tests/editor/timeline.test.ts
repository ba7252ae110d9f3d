import { describe, expect, it } from "vitest";
import { badnessOf, worstNear } from "../../src/editor/timeline/badness";
import { neighbour } from "../../src/editor/timeline/keys";
import { stacked, type Lane } from "../../src/editor/timeline/lanes";
import { Scale, snapped } from "../../src/editor/timeline/scale";
import { itemsOf } from "../../src/editor/doc/items";
import { references } from "../../src/editor/doc/references";
import { placesOf, turnPlace, wayPoints } from "../../src/editor/doc/places";
import { DOC, PLAN } from "./example";

const items = itemsOf(DOC, PLAN, "anna");
const lane = (kind: Lane["kind"]): Lane => {
  const own = items.filter((item) => item.lane === kind);
  return { id: kind, who: "anna", kind, label: kind, items: own, rows: stacked(own), height: 22 };
};

describe("the timeline", () => {
  it("stacks what overlaps", () => {
    const at = (start: number, end: number) => ({ ...items[0], start, end }) as (typeof items)[0];
    expect(stacked([at(0, 2), at(1, 3), at(2, 4)])).toEqual([0, 1, 0]);
  });
  it("takes hold of times that are near", () => {
    expect(snapped(1.02, [1, 3], 0.05)).toBe(1);
    expect(snapped(1.2, [1, 3], 0.05)).toBe(1.2);
  });
  it("shows all", () => {
    const scale = new Scale();
    scale.fit(10, 1000);
    expect(scale.x(10)).toBeLessThan(1000);
    expect(scale.step()).toBe(1);
  });
  it("is walked through by arrows", () => {
    const lanes = [lane("spans"), lane("body"), lane("hand")];
    const go = items.find((item) => item.label === "go");
    if (go === undefined) throw new Error("no span");
    expect(neighbour("ArrowRight", go, lanes)?.label).toBe("wait");
    expect(neighbour("ArrowDown", go, lanes)?.label).toBe("checkpoint");
    expect(neighbour("ArrowUp", go, lanes)).toBeNull();
  });
});

describe("the worst frame", () => {
  const skate = new Float32Array([0, 1, 20, 3, 9]);
  it("is found near a click", () => {
    expect(worstNear({ skate }, 4, 1)).toBe(4);
    expect(worstNear({ skate }, 0, 99)).toBe(2);
  });
  it("is the least natural where that was measured", () => {
    const naturalness = new Float32Array([0.5, 0.01, 0.5]);
    expect(badnessOf({ naturalness, skate }).label).toBe("Natural");
    expect(worstNear({ naturalness, skate }, 0, 99)).toBe(1);
  });
});

describe("places", () => {
  const places = placesOf(DOC, PLAN, "anna", items);
  it("are starts, goals and checkpoints", () => {
    expect(places.map((place) => place.label)).toEqual(["anna begins", "checkpoint", "door"]);
  });
  it("are turned where their mark is", () => {
    const door = places.find((place) => place.label === "door");
    if (door === undefined) throw new Error("no door");
    expect(turnPlace(DOC, door, 190)).toMatchObject([{ path: ["marks", "door", "facing"], value: -170 }]);
  });
  it("are points of ways, too", () => {
    expect(wayPoints(DOC, "anna").map((one) => one.at)).toEqual([
      ...[[3.5, 2.5], [1.5, 2.5]],
    ]);
  });
});

it("times that name a span are found", () => {
  expect(references(DOC, "anna", "go").map((one) => one.when)).toEqual(["anna.go.end+1"]);
  expect(references(DOC, "anna", "wait").map((one) => one.when)).toEqual(["wait.start+1.5"]);
});
