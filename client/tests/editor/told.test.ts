import { describe, expect, it } from "vitest";
import type { Origin } from "../../src/model";
import type { ServerMessage, ShotMessage } from "../../src/net/messages";
import { followMaking, makingAfter } from "../../src/editor/shell/making";
import { caveatOf, statusOf } from "../../src/editor/shell/status";
import { placeOf } from "../../src/editor/shell/trouble";
import { Store } from "../../src/editor/store";
import { DOC, PLAN } from "./example";

const shot = (rev: number, more: Partial<ShotMessage> = {}): ShotMessage => ({
  ...{ type: "shot", rev, doc: DOC, transient: false, can_undo: false, can_redo: false },
  ...{ saved: true, problems: [], plan: PLAN, ...more },
});
const progress = (rev: number, stage: string, done = 1, total = 2): ServerMessage => ({
  ...{ type: "progress", rev, stage, who: "anna", done, total },
});
const motion = (rev: number, quality: string, origin?: Origin) =>
  ({ type: "motion", who: "anna", rev, quality, ...(origin ? { origin } : {}) }) as ServerMessage;
const report = (rev: number) => ({ type: "report", rev, quality: "search", who: {} }) as ServerMessage;

/** A store that was told these. */
function told(...messages: ServerMessage[]): Store {
  const store = new Store();
  for (const message of messages) tell(store, message);
  return store;
}

function tell(store: Store, message: ServerMessage): void {
  followMaking(store, message);
  if (message.type === "shot") store.set({ shot: message, plan: message.plan });
  if (message.type === "idle") store.set({ idleRev: message.rev });
}

describe("the status", () => {
  it("is one word for each part of the making, and the bar never goes back", () => {
    const store = told(shot(1), motion(0, "preview", "captured"));
    expect(statusOf(store.now).text).toBe("preview: making your shot");
    const seen: string[] = [];
    let share = 0;
    const way = [
      ...[progress(1, "finding cycles"), progress(1, "trying"), motion(1, "preview")],
      ...[progress(1, "trying"), progress(1, "joining"), progress(1, "trying"), motion(1, "search")],
      ...[report(1), progress(1, "joining"), motion(1, "preview"), progress(1, "editing")],
    ];
    for (const message of way) {
      tell(store, message);
      const now = statusOf(store.now);
      expect(now.share ?? 1).toBeGreaterThanOrEqual(share);
      share = now.share ?? 1;
      if (seen.at(-1) !== now.text) seen.push(now.text);
    }
    expect(seen).toEqual(["preview: making your shot", "searching", "measuring"]);
    expect(statusOf(store.now).title).toBe("editing, anna");
    tell(store, { type: "idle", rev: 1 });
    expect(statusOf(store.now)).toMatchObject({ kind: "good", text: "settled", share: null });
  });
  it("is red with the sentence while the document is invalid, and not after", () => {
    const problems = [{ message: "ben ends too early", line: 7, path: ["tracks", "ben", 0, "for"] }];
    const store = told(shot(1), motion(1, "search"), { type: "idle", rev: 1 }, progress(1, "reading clips"));
    tell(store, shot(2, { problems }));
    expect(statusOf(store.now)).toMatchObject({ kind: "bad", text: "line 7: ben ends too early" });
    expect(caveatOf(store.now)).toContain("last motion");
    tell(store, progress(2, "reading clips"));
    expect(store.now.making).toBeNull();
    tell(store, shot(3));
    expect(statusOf(store.now).text).toBe("preview");
    expect(caveatOf(store.now)).toBe("");
  });
  it("does not stay at an export that has ended", () => {
    const store = told(shot(1), { type: "idle", rev: 1 }, progress(1, "exporting", 0, 1));
    expect(statusOf(store.now).text).toBe("writing the file");
    tell(store, progress(1, "exporting", 1, 1));
    expect(statusOf(store.now).text).toBe("settled");
  });
  it("begins again when the same document is made anew", () => {
    const store = told(shot(1), { type: "idle", rev: 1 });
    expect(makingAfter(store.now, progress(1, "reading clips"))?.phase).toBe("searching");
  });
});

describe("what is said over the view", () => {
  const problems = [{ message: "ben ends too early" }];
  const broken = (...messages: ServerMessage[]): string => caveatOf(told(shot(1, { problems }), ...messages).now);
  it("is true of what is shown while the file is wrong", () => {
    expect(broken()).toContain("nothing of this shot was made yet");
    expect(broken(motion(0, "preview", "captured"))).toContain("a captured clip");
    expect(broken(motion(0, "search", "older"))).toContain("before the last edits");
    expect(broken(motion(1, "search"))).toContain("the last motion that could be made");
  });
  it("tells what is there until the shot is made", () => {
    expect(caveatOf(told(shot(1), motion(0, "preview", "captured")).now)).toContain("captured clip");
    expect(caveatOf(told(shot(1), motion(0, "search", "older")).now)).toContain("before the last edits");
  });
  it("tells that a span on the frame that is shown is being made", () => {
    const store = told(shot(1), motion(1, "search"), { type: "idle", rev: 1 });
    const added = { id: "wave", kind: "clip", index: 4, first: 330, last: 400, layer: false };
    const tracks = { ...PLAN.tracks, anna: [...(PLAN.tracks["anna"] ?? []), added] };
    tell(store, shot(2, { plan: { ...PLAN, frames: 401, tracks } }));
    expect(caveatOf(store.now)).toBe("");
    store.set({ frame: 360 });
    expect(caveatOf(store.now)).toBe("wave is being made");
    tell(store, motion(2, "preview"));
    expect(caveatOf(store.now)).toBe("");
  });
});

describe("the place where a problem is mended", () => {
  const isThere = (id: string): boolean => id === "tracks/anna/0/constraints/body/0";
  it("is the entry that has the field", () => {
    const path = ["tracks", "anna", 0, "constraints", "body", 0, "position"];
    expect(placeOf({ message: "", path }, isThere)).toEqual({
      tab: "span", chosen: "tracks/anna/0/constraints/body/0",
    });
    expect(placeOf({ message: "", path: ["tracks", "ben", 1, "for"] }, isThere)?.chosen).toBe("tracks/ben/1");
    expect(placeOf({ message: "", path: ["marks", "door"] }, isThere)?.tab).toBe("shot");
    expect(placeOf({ message: "" }, isThere)).toBeNull();
  });
});
