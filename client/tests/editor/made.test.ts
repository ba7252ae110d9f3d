/** What the buttons write; `tests/studio/test_buttons.py` makes these shots. */

import { describe, expect, it } from "vitest";
import { addMember, freeMember } from "../../src/editor/doc/cast";
import type { ShotDocument } from "../../src/editor/doc/document";
import { addMeeting, pairOf } from "../../src/editor/doc/meeting";
import { apply } from "../../src/editor/doc/ops";
import type { Library, Plan } from "../../src/net/messages";

const FOLDER = "../../../tests/studio/buttons";
type Ground = [number, number];

/** Two who wait, one of them longer, at a distance. */
function standing(apart: number): { doc: ShotDocument; plan: Plan; places: Record<string, Ground> } {
  const wait = (who: string, last: number) => [
    { id: "wait", kind: "idle", index: 0, first: 0, last, layer: false, who },
  ];
  return {
    doc: {
      ...{ shot: 1, fps: 30, library: "clips" },
      cast: { anna: {}, ben: { start: { position: [0, apart], facing: 0 } } },
      tracks: {
        anna: [{ id: "wait", do: "idle", for: 1 }],
        ben: [{ id: "wait", do: "idle", for: 1.5 }],
      },
    },
    plan: { fps: 30, frames: 46, tracks: { anna: wait("anna", 30), ben: wait("ben", 45) } },
    places: { anna: [0, 0], ben: [0, apart] },
  };
}

const text = (doc: ShotDocument): string => `${JSON.stringify(doc, null, 1)}\n`;

/** How far two walk who meet there, metres. */
function walks(doc: ShotDocument, places: Record<string, Ground>): number[] {
  const [meeting] = doc.meet ?? [];
  const [x, z] = meeting?.["position"] as Ground;
  const angle = ((meeting?.["heading"] as number) * Math.PI) / 180;
  return (meeting?.["between"] as string[]).map((who, i) => {
    const side = (i === 0 ? -1 : 1) * 0.425;
    const [fromX, fromZ] = places[who] as Ground;
    return Math.hypot(x + side * Math.sin(angle) - fromX, z + side * Math.cos(angle) - fromZ);
  });
}

describe("a meeting that is added", () => {
  for (const [name, apart] of [["afar", 4], ["near", 1.2]] as const) {
    it(`of two who stand ${name} begins with walks of both`, async () => {
      const { doc, plan, places } = standing(apart);
      const made = apply(doc, addMeeting(doc, plan, ["anna", "ben"], places));
      const kinds = Object.values(made.tracks ?? {}).map((track) => track.map((span) => span.do));
      expect(kinds).toEqual([["idle", "walk", "idle"], ["idle", "walk", "idle"]]);
      for (const way of walks(made, places)) {
        expect(way).toBeGreaterThanOrEqual(3);
        const seconds = made.tracks?.["anna"]?.[1]?.["for"] as number;
        expect(way / seconds).toBeLessThan(1);
      }
      await expect(text(made)).toMatchFileSnapshot(`${FOLDER}/${name}.json`);
    });
  }
  it("does without places that are not known", () => {
    const { doc, plan } = standing(4);
    const [meeting] = apply(doc, addMeeting(doc, plan, ["anna", "ben"], {})).meet ?? [];
    expect(meeting).toEqual({
      ...{ time: "anna.talk.start+1", hold: 0.6, between: ["anna", "ben"], distance: 0.85 },
    });
  });
  it("is aside of others and of what stands there", () => {
    const { doc, plan, places } = standing(4);
    const full = { ...doc, avoid: [{ shape: "cylinder", radius: 0.3, center: [0, 2] }] };
    const alone = apply(full, addMeeting(full, plan, ["anna", "ben"], places)).meet?.[0];
    expect(alone?.["position"]).not.toEqual([0, 2]);
    const others = { ...places, cleo: [0, 2] as Ground };
    const beside = apply(doc, addMeeting(doc, plan, ["anna", "ben"], others)).meet?.[0];
    expect(beside?.["position"]).not.toEqual([0, 2]);
  });
});

describe("a character who is added", () => {
  it("can be met", async () => {
    const { doc, plan, places } = standing(2);
    const name = freeMember(doc);
    const ways = Object.values(places);
    const now = apply(doc, addMember(doc, plan, name, ways));
    expect(pairOf(now, name)).toEqual([name, "anna"]);
    const wait = { id: "wait", kind: "idle", index: 0, first: 0, last: 45, layer: false };
    const then = { ...plan, tracks: { ...plan.tracks, [name]: [wait] } };
    const start = now.cast?.[name]?.["start"] as { position: Ground };
    const all = { ...places, [name]: start.position };
    const made = apply(now, addMeeting(now, then, [name, "anna"], all));
    expect(made.tracks?.["ben"]?.at(-1)).toMatchObject({ do: "idle", until: `${name}.talk.end` });
    await expect(text(made)).toMatchFileSnapshot(`${FOLDER}/member.json`);
  });
  it("stands beside what stands there", () => {
    const { doc, plan } = standing(2);
    const full = { ...doc, avoid: [{ shape: "box", size: [6, 6], top: 1, center: [0, 2] }] };
    const start = apply(full, addMember(full, plan, "cleo", [])).cast?.["cleo"]?.["start"];
    const [x] = (start as { position: Ground }).position;
    expect(Math.abs(x)).toBeGreaterThanOrEqual(3.5);
  });
  it("has the clips of who is there where the shot names none", () => {
    const { doc, plan } = standing(2);
    const own = { ...doc, cast: { anna: { library: "hers", clips: ["walk*"] }, ben: { library: "his" } } };
    delete own.library;
    const cleo = apply(own, addMember(own, plan, "cleo", [])).cast?.["cleo"];
    expect(cleo).toMatchObject({ library: "hers", clips: ["walk*"] });
  });
  it("shows a clip where the body of the clips cannot wait", () => {
    const { doc, plan } = standing(2);
    const clips = [{ name: "trot", seconds: 3, labels: [] }];
    const library: Library = { clips, styles: [], models: [], waits: false };
    const made = apply(doc, addMember(doc, plan, "cleo", [], library));
    expect(made.tracks?.["cleo"]).toEqual([{ id: "show", do: "clip", clip: "trot" }]);
  });
});
