import { describe, expect, it } from "vitest";
import { amount, leastNatural, stripOf, toldAt, worstNear } from "../../src/editor/timeline/natural";
import type { Naturalness } from "../../src/net/messages";
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

const odd = { first: 2, last: 3, frame: 3, value: 1.8, words: "a leg out of step with the body" };
const slight = { first: 5, last: 5, frame: 5, value: 1.1, words: "all joints tremble" };
const natural: Naturalness = {
  ...{ values: new Float32Array([0, 0.5, 1.4, 1.8, 0.2, 1.1]), stretches: [odd, slight], worst: odd },
};

describe("naturalness", () => {
  const skate = new Float32Array([0, 15, 30]);
  it("is awaited until it was measured, and not shown as skate meanwhile", () => {
    const strip = stripOf({ skate }, null, "anna");
    expect(strip.label).toBe("Naturalness");
    expect(strip.values.length).toBe(0);
    expect(toldAt(strip, undefined, 1)).toBe("comes after the search");
  });
  it("is shown and told frame by frame", () => {
    const strip = stripOf({ skate }, { anna: natural }, "anna");
    expect(strip.values).toBe(natural.values);
    expect(toldAt(strip, natural, 3)).toBe("1.8 times the captures' limit: a leg out of step with the body");
    expect(toldAt(strip, natural, 1)).toBe("50 % of the way from usual to the captures' limit");
    expect(toldAt(strip, natural, 0)).toBe("as usual in the captures");
  });
  it("is grey where the motion has changed since", () => {
    const old = { ...natural, isOld: true };
    const strip = stripOf({ skate }, { anna: old }, "anna");
    expect(strip.isOld).toBe(true);
    expect(toldAt(strip, old, 3)).toContain("before the last change");
  });
  it("gives way to how feet slide where it cannot be measured", () => {
    const strip = stripOf({ skate }, {}, "anna");
    expect(strip.label).toBe("Skate");
    expect([...strip.values]).toEqual([0, 1, 2]);
    expect(toldAt(strip, undefined, 2)).toContain("30 cm/s");
  });
  it("names its worst first", () => {
    expect(leastNatural(natural, 1)).toEqual([odd]);
    expect(amount(0.999)).toContain("of the way");
    expect(amount(9)).toBe("more than 5 times the captures' limit");
  });
});

describe("the worst frame", () => {
  const error = new Float32Array([0.4, Number.NaN, 0, 0, 0, 0]);
  it("is found near a click", () => {
    expect(worstNear(natural.values, error, 5, 1)).toBe(5);
    expect(worstNear(natural.values, error, 0, 99)).toBe(3);
  });
  it("is the farthest from its keys where all else is alike", () => {
    expect(worstNear(new Float32Array(), error, 3, 99)).toBe(0);
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
