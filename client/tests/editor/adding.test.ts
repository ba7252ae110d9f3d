import { describe, expect, it } from "vitest";
import { aheadOf, spanToAdd, type Standing, timeToAdd, withOthers } from "../../src/editor/doc/adding";
import { addMember } from "../../src/editor/doc/cast";
import { at } from "../../src/editor/doc/document";
import { append, apply } from "../../src/editor/doc/ops";
import { remove } from "../../src/editor/doc/spans";
import { seconds } from "../../src/editor/doc/times";
import { nextEntry } from "../../src/editor/timeline/adding";
import { DOC, PLAN } from "./example";

const THERE: Standing = { at: [2, 1], ahead: [1, 0], hand: [2.2, 1.1, 0.8] };
const added = (kind: string, time: number) => spanToAdd(DOC, PLAN, "anna", kind, time, null, THERE);

describe("a character who is added", () => {
  const doc = apply(DOC, addMember(DOC, PLAN, "cleo", [[0, 0], [0.8, 0]]));
  it("is there until the shot ends, also when it gets longer", () => {
    const until = at(doc, ["tracks", "cleo", 0, "until"]) as string;
    expect(until).toBe("anna.away.end");
    expect(seconds(until, doc, PLAN, "cleo")).toBe(11);
  });
  it("stands beside the others", () => {
    const [x, z] = at(doc, ["cast", "cleo", "start", "position"]) as [number, number];
    for (const [ox, oz] of [[0, 0], [0.8, 0], [0, 3]] as const) {
      expect(Math.hypot(x - ox, z - oz)).toBeGreaterThanOrEqual(0.9);
    }
  });
});

describe("a span that is added", () => {
  it("goes behind the last, a reach to the playhead", () => {
    expect(timeToAdd(PLAN, "anna", "between", 2)).toBe(11);
    expect(timeToAdd(PLAN, "anna", "reach", 2)).toBe(2);
    expect(timeToAdd(PLAN, "anna", "reach", 99)).toBeLessThan(10.5);
  });
  it("between poses ends a while after its own begin", () => {
    expect(at(apply(DOC, append(DOC, ["tracks", "anna"], added("between", 11))), [
      ...["tracks", "anna", 4, "keys", 0, "time"],
    ])).toBe("between.start+1");
  });
  it("goes ahead, not farther than she gets", () => {
    const walk = added("walk", 11);
    expect(walk["to"]).toEqual([5, 1]);
    expect(3 / (walk["for"] as number)).toBeLessThan(1.2);
  });
  it("reaches to a point beside the hand, at a time that moves with what is below", () => {
    const reach = added("reach", 6);
    expect(reach["target"]).toEqual([2.35, 1.1, 0.8]);
    expect(reach["at"]).toBe("wait.start+1");
  });
  it("is waited for by the others", () => {
    const doc = apply(DOC, withOthers(DOC, PLAN, "anna", append(DOC, ["tracks", "anna"], added("walk", 11))));
    expect(at(doc, ["tracks", "ben", 0])).toEqual({ id: "stay", do: "idle", until: "anna.walk.end" });
  });
  it("is waited for by who did something else before", () => {
    const walk = append(DOC, ["tracks", "ben"], { id: "walk", do: "walk", for: 2 });
    const doc = apply(DOC, withOthers(DOC, PLAN, "ben", walk));
    expect(at(doc, ["tracks", "anna", 4])).toEqual({ id: "wait_2", do: "idle", until: "ben.walk.end" });
  });
  it("is no longer waited for when it is deleted", () => {
    const now = apply(DOC, withOthers(DOC, PLAN, "anna", append(DOC, ["tracks", "anna"], added("walk", 11))));
    const walk = { id: "walk", kind: "walk", index: 4, first: 330, last: 426, layer: false };
    const plan = { ...PLAN, tracks: { ...PLAN.tracks, anna: [...(PLAN.tracks["anna"] ?? []), walk] } };
    const after = apply(now, remove(now, plan, "anna", 4));
    expect(at(after, ["tracks", "ben", 0, "until"])).toBe("anna.away.end");
  });
  it("leaves the others where it is a layer", () => {
    const ops = append(DOC, ["tracks", "anna"], added("reach", 6));
    expect(withOthers(DOC, PLAN, "anna", ops)).toBe(ops);
  });
});

it("hips look ahead", () => {
  expect(aheadOf([0.1, 0.9, 0], [-0.1, 0.9, 0])).toEqual([0, 1]);
});

it("the menu of spans is gone through by arrows, which add nothing", () => {
  expect(nextEntry("ArrowDown", 7, 8)).toBe(0);
  expect(nextEntry("ArrowUp", 0, 8)).toBe(7);
  expect(nextEntry("Enter", 0, 8)).toBeNull();
});
