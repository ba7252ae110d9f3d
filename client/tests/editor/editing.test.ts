import { beforeEach, describe, expect, it, vi } from "vitest";
import { Editing } from "../../src/editor/editing";
import { put } from "../../src/editor/doc/ops";
import { Store } from "../../src/editor/store";
import type { ClientMessage, ShotMessage } from "../../src/net/messages";
import { DOC, PLAN } from "./example";

const shot = (rev: number, more: Partial<ShotMessage> = {}): ShotMessage => ({
  ...{ type: "shot", rev, doc: DOC, transient: false, can_undo: false, can_redo: false },
  ...{ saved: true, problems: [], plan: PLAN, ...more },
});

let store: Store;
let sent: ClientMessage[];
let editing: Editing;
let now: number;
const facing = (value: number) => put(DOC, ["marks", "door", "facing"], value);

beforeEach(() => {
  store = new Store();
  sent = [];
  now = 0;
  editing = new Editing(
    store,
    (message) => sent.push(message) > 0,
    () => now,
  );
  store.set({ connection: "open" });
  editing.take(shot(1));
});

describe("a drag", () => {
  it("is shown at once, and has one change in flight, the newest next", () => {
    const drag = editing.begin("turn door");
    [10, 20, 30].forEach((angle) => drag?.update(facing(angle)));
    expect(store.now.doc.marks?.["door"]?.["facing"]).toBe(30);
    expect(sent).toHaveLength(1);
    editing.answered(1);
    expect(sent).toHaveLength(1);
    editing.take(shot(2, { transient: true }));
    editing.answered(2);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ transient: true, ops: [{ value: 30 }] });
    editing.take(shot(3, { transient: true }));
    editing.answered(3);
    expect(sent).toHaveLength(2);
  });

  it("ends in one edit", () => {
    const drag = editing.begin("turn door");
    drag?.update(facing(10));
    drag?.finish();
    expect(sent[1]).toMatchObject({ type: "edit", label: "turn door" });
    expect(sent[1]).not.toHaveProperty("transient");
    expect(drag?.isOver).toBe(true);
  });

  it("that nobody ended leaves room for the next change", () => {
    editing.begin("turn door")?.update(facing(10));
    expect(editing.commit(put(store.now.doc, ["seed"], 2), "change seed")).toBe(true);
    expect(sent.slice(1)).toMatchObject([{ label: "turn door" }, { label: "change seed" }]);
    expect(store.now.doc).toMatchObject({ seed: 2, marks: { door: { facing: 10 } } });
  });

  it("is dropped by Esc", () => {
    const drag = editing.begin("turn door");
    drag?.update(facing(10));
    expect(editing.stop()).toBe(true);
    expect(sent.at(-1)).toMatchObject({ type: "cancel" });
    expect(store.now.doc).toBe(DOC);
    drag?.update(facing(20));
    expect(sent).toHaveLength(2);
  });

  it("stays on top of what the server tells meanwhile", () => {
    const drag = editing.begin("turn door");
    drag?.update(facing(10));
    editing.take(shot(2, { transient: true }));
    expect(store.now.doc.marks?.["door"]?.["facing"]).toBe(10);
  });

  it("sends again where no answer comes", () => {
    const drag = editing.begin("turn door");
    drag?.update(facing(10));
    now = 2000;
    drag?.update(facing(20));
    expect(sent).toHaveLength(2);
  });
});

describe("an edit", () => {
  it("is not made by who only reads", () => {
    store.set({
      welcome: {
        ...{ type: "welcome", protocol: 1, version: "1", file: "a", reader: true, limits: {} },
      },
    });
    expect(editing.commit(facing(1), "turn")).toBe(false);
    expect(sent).toHaveLength(0);
  });
  it("stays while the server tells of one before it", () => {
    editing.commit(facing(1), "turn");
    const first = store.now.doc;
    editing.commit(put(first, ["fps"], 60), "rate");
    editing.take(shot(2, { doc: first }));
    expect(store.now.doc.fps).toBe(60);
    editing.take(shot(3, { doc: { ...first, fps: 60 } }));
    expect(store.now.doc.fps).toBe(60);
    editing.take(shot(4, { doc: first }));
    expect(store.now.doc.fps).toBe(30);
  });
  it("is taken back where it is refused", () => {
    editing.commit(facing(1), "turn");
    editing.refused();
    expect(store.now.doc).toEqual(DOC);
  });
  it("is shown at once", () => {
    expect(editing.commit(facing(1), "turn")).toBe(true);
    expect(store.now.doc.marks?.["door"]?.["facing"]).toBe(1);
    expect(sent[0]).toMatchObject({ base_rev: 1, label: "turn" });
  });
});

describe("what is not looked at during a pull in the view", () => {
  it("is told when the pull rests or ends, with all that has changed since", () => {
    vi.useFakeTimers();
    const told: [number, number][] = [];
    store.onCalm(["frame"], (state, before) => { told.push([before.frame, state.frame]); });
    store.set({ isPulling: true });
    store.set({ frame: 1 });
    store.set({ frame: 2 });
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(told.at(-1)).toEqual([0, 2]);
    store.set({ frame: 3 });
    store.set({ isPulling: false });
    expect(told.at(-1)).toEqual([2, 3]);
    vi.advanceTimersByTime(1000);
    expect(told).toHaveLength(3);
    store.set({ frame: 4 });
    expect(told.at(-1)).toEqual([3, 4]);
    vi.useRealTimers();
  });
});
