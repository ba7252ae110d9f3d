import { describe, expect, it } from "vitest";
import { moveItem } from "../../src/editor/doc/changes";
import { at } from "../../src/editor/doc/document";
import { itemsOf } from "../../src/editor/doc/items";
import { append, apply } from "../../src/editor/doc/ops";
import { addedPose } from "../../src/editor/doc/poses";
import { facingOfMark } from "../../src/editor/panels/facing";
import { stepOf } from "../../src/editor/shell/first";
import { nextRegion } from "../../src/editor/shell/regions";
import { triedCookie, wasTried } from "../../src/editor/shell/tried";
import { EMPTY } from "../../src/editor/store";
import { labelOf, movedTo } from "../../src/editor/timeline/drag";
import { itemKey, type KeyTools } from "../../src/editor/timeline/keys";
import { Store } from "../../src/editor/store";
import { DOC, PLAN } from "./example";

const items = itemsOf(DOC, PLAN, "anna");
const named = (label: string) => {
  const found = items.find((item) => item.label === label);
  if (found === undefined) throw new Error(`no ${label}`);
  return found;
};

describe("keys on an entry of the timeline", () => {
  const store = new Store();
  store.set({ doc: DOC, plan: PLAN });
  const unused = (): never => {
    throw new Error("another entry was chosen");
  };
  const tools: KeyTools = {
    ...{ store, editing: undefined as never, focus: unused, open: unused },
    lanes: () => [{ ...{ id: "l", who: "anna", kind: "spans", label: "" }, items, rows: [], height: 22 }],
  };
  it("leave arrows with Alt to the place in the view that is chosen", () => {
    const event = { key: "ArrowRight", altKey: true } as KeyboardEvent;
    expect(itemKey(event, named("to door"), tools)).toBe(false);
  });
});

describe("a span that is dragged past another", () => {
  const spans = items.filter((item) => item.lane === "spans");
  it("is where it is dropped, and is named there", () => {
    expect(movedTo(spans, named("go"), 2)).toBe(1);
    expect(movedTo(spans, named("go"), 0.5)).toBeNull();
    expect(movedTo(spans, named("away"), -7)).toBe(0);
  });
  it("is told of by what was done", () => {
    expect(labelOf(named("wait"), "end")).toBe("move the end of wait");
    expect(labelOf(named("wait"), "whole")).toBe("move wait");
  });
});

describe("poses of a bridge", () => {
  const bridge = { id: "over", do: "between", keys: [{ time: 12, clip: "wave", frame: 3 }] };
  const doc = apply(DOC, append(DOC, ["tracks", "anna"], bridge));
  const over = { id: "over", kind: "between", index: 4, first: 330, last: 360, layer: false };
  const plan = { ...PLAN, frames: 361, tracks: { ...PLAN.tracks, anna: [...(PLAN.tracks["anna"] ?? []), over] } };
  it("are told from its begin once they are moved", () => {
    const pose = itemsOf(doc, plan, "anna").find((item) => item.kind === "pose");
    const after = apply(doc, moveItem(doc, plan, pose as never, 0.5));
    expect(at(after, ["tracks", "anna", 4, "keys", 0, "time"])).toBe("over.start+1.5");
  });
  it("are added behind the last", () => {
    expect(addedPose(doc, plan, "anna", 4)).toEqual({ time: "over.start+2", clip: "wave", frame: 3 });
  });
});

it("an empty facing is that of the mark", () => {
  expect(facingOfMark(DOC, ["tracks", "anna", 0])).toBe("90, as door has it");
  expect(facingOfMark(DOC, ["tracks", "anna", 3])).toBeNull();
});

it("tips are dismissed for a shot, wherever it is served", () => {
  const cookie = triedCookie("token=x", "door.yaml").split(";")[0] ?? "";
  expect(wasTried(`token=x; ${cookie}`, "door.yaml")).toBe(true);
  expect(wasTried(cookie, "two.yaml")).toBe(false);
  expect(wasTried(triedCookie(cookie, "two.yaml"), "door.yaml")).toBe(true);
});

it("moving an end is no ring that was dragged", () => {
  const shot = { transient: false, can_undo: true } as never as NonNullable<typeof EMPTY.shot>;
  const step = (undo_label: string) => stepOf({ ...EMPTY, shot: { ...shot, undo_label } });
  expect(step("move door")).toBe("ring");
  expect(step("move the end of wait")).toBeNull();
  expect(step("place a checkpoint")).toBeNull();
});

it("regions are gone through in a ring", () => {
  expect(nextRegion(-1, 1, 4)).toBe(0);
  expect(nextRegion(3, 1, 4)).toBe(0);
  expect(nextRegion(0, -1, 4)).toBe(3);
});
