import { describe, expect, it } from "vitest";
import { companions, moveWith, turnWith } from "../../src/editor/doc/companions";
import { at } from "../../src/editor/doc/document";
import { itemsOf } from "../../src/editor/doc/items";
import { append, apply } from "../../src/editor/doc/ops";
import { placesOf } from "../../src/editor/doc/places";
import { DOC, PLAN } from "./example";

const items = itemsOf(DOC, PLAN, "anna");
const place = (label: string) => {
  const found = placesOf(DOC, PLAN, "anna", items).find((one) => one.label === label);
  if (found === undefined) throw new Error(`no ${label}`);
  return found;
};

describe("a ring that is moved", () => {
  it("takes along what is reached for from there", () => {
    const after = apply(DOC, moveWith(DOC, PLAN, place("door"), [2.5, 2], items));
    expect(at(after, ["marks", "door", "position"])).toEqual([2.5, 2]);
    expect(at(after, ["marks", "handle", "point"])).toEqual([2.95, 1.1, 2]);
  });
  it("turns that around itself", () => {
    const after = apply(DOC, turnWith(DOC, PLAN, place("door"), 0, items));
    expect(at(after, ["marks", "door", "facing"])).toBe(0);
    expect(at(after, ["marks", "handle", "point"])).toEqual([1.5, 1.1, 2.95]);
  });
  it("leaves what is far, what comes later, and what is reached from elsewhere", () => {
    const far = { id: "far", do: "reach", joint: "left_hand", target: [4, 1, 2.5], at: "wait.start+1" };
    const late = { id: "late", do: "reach", joint: "left_hand", target: [1.6, 1, 2.5], at: "away.start+2" };
    const once = apply(DOC, append(DOC, ["tracks", "anna"], far));
    const doc = apply(once, append(once, ["tracks", "anna"], late));
    const layer = (id: string, index: number, first: number) => ({
      ...{ id, kind: "reach", index, first, last: first + 6, layer: true },
    });
    const anna = [...(PLAN.tracks["anna"] ?? []), layer("far", 4, 180), layer("late", 5, 300)];
    const plan = { ...PLAN, tracks: { ...PLAN.tracks, anna } };
    const all = itemsOf(doc, plan, "anna");
    expect(companions(doc, plan, place("door"), all).map((one) => one.path)).toEqual([
      ["marks", "handle", "point"],
    ]);
    expect(companions(doc, plan, place("anna begins"), all)).toEqual([]);
  });
});
