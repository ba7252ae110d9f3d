import { describe, expect, it } from "vitest";
import { at } from "../../src/editor/doc/document";
import { itemsOf } from "../../src/editor/doc/items";
import { apply } from "../../src/editor/doc/ops";
import { moveBegin, moveEnd, remove, rename, reorder, slide } from "../../src/editor/doc/spans";
import { asWithin, besideSpan, seconds, shifted } from "../../src/editor/doc/times";
import { addCheckpoint, type Ending, moveItem, paintStyle, reachTo, timeTo } from "../../src/editor/doc/changes";
import { DOC, PLAN } from "./example";

const anna = (index: number, ...rest: string[]) => ["tracks", "anna", index, ...rest];

describe("times", () => {
  it("keep their names when they move", () => {
    expect(shifted("walk.end", 0.5)).toBe("walk.end+0.5");
    expect(shifted("walk.end+0.5", -0.5)).toBe("walk.end");
    expect(shifted("walk.end+0.5", -1)).toBe("walk.end-0.5");
    expect(shifted(1, -3)).toBe(0);
  });
  it("are found by the plan", () => {
    expect(seconds("wait.start+1.5", DOC, PLAN, "anna")).toBe(6.5);
    expect(seconds("anna.go.end+1", DOC, PLAN, "ben")).toBe(6);
    expect(besideSpan(PLAN, "anna", 6.25)).toBe("wait.start+1.25");
  });
  it("stay percentages", () => {
    expect(asWithin("50%", 2, 5)).toBe("40%");
  });
});

describe("spans", () => {
  it("end later", () => {
    expect(at(apply(DOC, moveEnd(DOC, PLAN, "anna", 0, 1)), anna(0, "by"))).toBe(6);
    expect(at(apply(DOC, moveEnd(DOC, PLAN, "anna", 1, -0.5)), anna(1, "for"))).toBe(2.5);
    expect(at(apply(DOC, moveEnd(DOC, PLAN, "anna", 2, 0.5)), anna(2, "hold"))).toBe(1);
    const ben = apply(DOC, moveEnd(DOC, PLAN, "ben", 0, 1));
    expect(at(ben, ["tracks", "ben", 0, "until"])).toBe("anna.go.end+2");
  });
  it("begin later, and end when they did", () => {
    const after = apply(DOC, moveBegin(DOC, PLAN, "anna", 1, 1));
    expect(at(after, anna(0, "by"))).toBe(6);
    expect(at(after, anna(1, "for"))).toBe(2);
  });
  it("slide", () => {
    expect(at(apply(DOC, slide(DOC, PLAN, "anna", 2, 0.5)), anna(2, "at"))).toBe("wait.start+2");
    expect(slide(DOC, PLAN, "anna", 0, 1)).toEqual([]);
  });
  it("change places and keep their lengths", () => {
    const after = apply(DOC, reorder(DOC, PLAN, "anna", 0, 1));
    expect(at(after, anna(1, "id"))).toBe("go");
    expect(at(after, anna(1, "for"))).toBe(5);
    expect(at(after, anna(1, "by"))).toBeUndefined();
  });
  it("are renamed where times name them", () => {
    const after = apply(DOC, rename(DOC, PLAN, "anna", 0, "come"));
    expect(at(after, ["tracks", "ben", 0, "until"])).toBe("anna.come.end+1");
  });
  it("leave seconds where they were named", () => {
    const after = apply(DOC, remove(DOC, PLAN, "anna", 1));
    expect(at(after, anna(1, "at"))).toBe(6.5);
    expect(after.tracks?.["anna"]).toHaveLength(3);
  });
});

const HERE: Ending = { at: [0, 0], ahead: null };

describe("keys", () => {
  const items = itemsOf(DOC, PLAN, "anna");
  it("are found in their lanes", () => {
    expect(items.map((item) => `${item.lane} ${item.label}`)).toEqual([
      ...["spans go", "style hurried", "body checkpoint", "body to door", "spans wait"],
      ...["hand right hand", "spans away", "path way, 2 points"],
    ]);
  });
  it("move within their span", () => {
    const body = items.find((item) => item.kind === "body");
    const after = apply(DOC, moveItem(DOC, PLAN, body ?? never(), 1));
    expect(at(after, [...anna(0, "constraints", "body"), 0, "time"])).toBe("70%");
  });
  it("are added where somebody clicked", () => {
    const inside = apply(DOC, addCheckpoint(DOC, PLAN, "anna", 0, 2, [1, 0], HERE));
    expect(at(inside, anna(0, "constraints", "body"))).toHaveLength(2);
    const behind = apply(DOC, addCheckpoint(DOC, PLAN, "anna", 1, 6, [3, 0], HERE));
    expect(at(behind, anna(4))).toEqual({ id: "walk", do: "walk", to: [3, 0], for: 3.6 });
  });
  it("behind the back have time for the turn", () => {
    expect(timeTo([3, 0], { ...HERE, ahead: [1, 0] })).toBe(timeTo([3, 0], HERE));
    expect(timeTo([3, 0], { ...HERE, ahead: [0, 1] })).toBeCloseTo(timeTo([3, 0], HERE) + 1.1);
    expect(timeTo([3, 0], { ...HERE, ahead: [-1, 0] })).toBeCloseTo(timeTo([3, 0], HERE) + 2.2);
    expect(timeTo([0, 0], { ...HERE, ahead: [-1, 0] })).toBe(1);
  });
  it("of a hand are moved where one is, else added", () => {
    const moved = reachTo(DOC, PLAN, "anna", "right_hand", 6.6, [1, 1, 1], items);
    expect(at(apply(DOC, moved), ["marks", "handle", "point"])).toEqual([1, 1, 1]);
    const added = apply(DOC, reachTo(DOC, PLAN, "anna", "right_hand", 1, [1, 1, 1], items));
    expect(at(added, anna(4, "at"))).toBe("go.start+1");
  });
  it("of style are painted on walks", () => {
    const after = apply(DOC, paintStyle(DOC, PLAN, "anna", "old", 2.5, 3.5));
    expect(at(after, [...anna(0, "constraints", "style"), 1])).toEqual({
      ...{ from: 2.5, to: 3.5, label: "old" },
    });
  });
});

function never(): never {
  throw new Error("not found");
}
