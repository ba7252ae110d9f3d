import { describe, expect, it } from "vitest";
import type { CharacterReport, Problem, ServerMessage } from "../../src/net/messages";
import { receive, uploadedNotice } from "../../src/editor/incoming";
import { notify } from "../../src/editor/shell/notices";
import { Store } from "../../src/editor/store";
import { DOC, PLAN } from "./example";

const OWN: CharacterReport = { spans: [], joins: [], series: {}, summary: [], pieces: [] };
const nothing = (): void => undefined;

/** A store that messages are taken into; nothing is drawn. */
function listening(): { store: Store; take: (message: object) => void } {
  const store = new Store();
  const editing = { take: (shot: never) => { store.set({ shot, plan: PLAN }); }, answered: nothing, refused: nothing };
  const parts = {
    ...{ store, editing, playback: { setLength: nothing }, stage: { setMotion: nothing } },
    ...{ onMotion: nothing, onUpload: nothing },
  };
  return { store, take: (message) => { receive(message as ServerMessage, parts as never); } };
}

const shot = (rev: number, problems: Problem[] = []) => ({ type: "shot", rev, doc: DOC, plan: PLAN, problems });
const motion = (rev: number, more: object = {}) => ({
  ...{ type: "motion", who: "anna", rev, n: 3, quality: "preview", contacts: {} },
  ...{ quats: new Uint8Array(), root: new Uint8Array(), ...more },
});
const report = (rev: number, more: object = {}) => ({
  ...{ type: "report", rev, quality: "search", who: { anna: OWN }, ...more },
});

describe("what was measured", () => {
  it("is old once the motion has changed, and anew with the next report", () => {
    const { store, take } = listening();
    for (const message of [shot(1), motion(1), report(1)]) take(message);
    expect(store.now.report["anna"]?.isOld).toBe(false);
    take(motion(2));
    expect(store.now.report["anna"]?.isOld).toBe(true);
    take(report(2));
    expect(store.now.report["anna"]?.isOld).toBe(false);
  });
  it("of an older motion is old for a window that comes between", () => {
    const { store, take } = listening();
    for (const message of [shot(2), motion(2), report(1)]) take(message);
    expect(store.now.report["anna"]?.isOld).toBe(true);
  });
  it("is not shown with a clip as captured", () => {
    const { store, take } = listening();
    for (const message of [shot(1), motion(1), report(1)]) take(message);
    take(motion(0, { origin: "captured" }));
    expect(store.now.report).toEqual({});
  });
  it("comes with what was made before the last edits", () => {
    const { store, take } = listening();
    for (const message of [shot(5), report(5)]) take(message);
    const older = { anna: { ...OWN, problems: ["of then"] } };
    take(motion(0, { origin: "older" }));
    take(report(0, { origin: "older", who: older }));
    expect(store.now.report["anna"]).toMatchObject({ problems: ["of then"], isOld: false });
  });
});

describe("notices", () => {
  it("about the file go when it is mended", () => {
    const { store, take } = listening();
    take(shot(1, [{ message: "ben ends too early", line: 7 }]));
    notify(store, { message: "line 7: ben ends too early" });
    notify(store, { message: "no room on the disk" });
    take(shot(2));
    expect(store.now.notices.map((one) => one.message)).toEqual(["no room on the disk"]);
  });
  it("about a file that came are good, with what became of it", () => {
    const came = { type: "uploaded" as const, id: "u1", name: "tall.bvh", clips: ["tall"] };
    expect(uploadedNotice(came)).toEqual({ message: "tall.bvh brought: tall can be used now", isGood: true });
    expect(uploadedNotice({ ...came, note: "carried over" })).toMatchObject({ hint: "carried over", isGood: true });
    expect(uploadedNotice({ ...came, clips: [] }).message).not.toContain("used now");
  });
});
