/** When two are face to face: who, how far apart, and which joints of theirs meet. */

import type { ShotDocument } from "../doc/document";
import type { Field } from "../doc/kinds";
import { lastOf } from "../doc/adding";
import { addMeeting, pairOf } from "../doc/meeting";
import { append, take } from "../doc/ops";
import { button, make } from "../shell/dom";
import type { Plan } from "../../net/messages";
import type { Store } from "../store";
import type { ControlTools } from "./controls";
import { group, type Keep } from "./group";

const seconds = { type: "number", unit: "s", min: 0, step: 0.1 } as const;
const metres = { type: "number", unit: "m", step: 0.05 } as const;
const degrees = { type: "number", unit: "°", step: 5 } as const;
const FIELDS: Field[] = [
  { key: "name", label: "Name", type: "text", usual: "meeting" },
  { key: "time", label: "At", type: "time" },
  { key: "hold", label: "Stay", ...seconds, usual: "0" },
  { key: "distance", label: "Apart", ...metres, min: 0.05 },
  { key: "heading", label: "Heading", ...degrees, usual: "as it comes" },
  { key: "position", label: "Place", type: "place", usual: "where they stand" },
];
const JOINTS: Field[] = [
  { key: "first", label: "Joint", type: "joint" },
  { key: "second", label: "meets", type: "joint" },
  { key: "gap", label: "Gap", ...metres, min: 0, usual: "0" },
];

/** What the rows depend on. */
export const outlineOfMeetings = (doc: ShotDocument): unknown =>
  (doc.meet ?? []).map((one) => [one["name"] ?? "", jointsOf(one).length]);

const jointsOf = (meeting: { [key: string]: unknown }): unknown[] =>
  Array.isArray(meeting["joints"]) ? meeting["joints"] : [];

export function meetingParts(doc: ShotDocument, keep: Keep, tools: ControlTools): HTMLElement[] {
  const names = Object.keys(doc.cast ?? {});
  if (names.length < 2 && (doc.meet ?? []).length === 0) return [];
  const groups = (doc.meet ?? []).map((one, i) => {
    const who = { type: "choice", options: names } as const;
    const between = [
      ...keep(["meet", i, "between"], [{ key: 0, label: "First", ...who }]),
      ...keep(["meet", i, "between"], [{ key: 1, label: "Second", ...who }]),
    ];
    const joints = jointsOf(one).flatMap((_, k) => keep(["meet", i, "joints", k], JOINTS));
    const more = button("Add joints that meet", () => {
      const pair = { first: "right_hand", second: "right_hand", gap: 0.18 };
      tools.editing.commit(append(tools.store.now.doc, ["meet", i, "joints"], pair), "add joints");
    });
    const rows = [...between, ...keep(["meet", i], FIELDS), ...joints, more];
    const name = typeof one["name"] === "string" ? one["name"] : `meeting ${String(i + 1)}`;
    return group(name, rows, () => ({ ops: take(tools.store.now.doc, ["meet", i]), tools }));
  });
  const add = button("Add a meeting", () => { addOne(tools); });
  return [make("h3", {}, "Meetings"), ...groups, add];
}

/** Behind all that the two do, where both can walk to. */
function addOne({ store, editing }: ControlTools): void {
  const { doc, plan, who } = store.now;
  const pair = pairOf(doc, who);
  if (plan === null || pair === null) return;
  const places = Object.fromEntries(
    Object.keys(doc.cast ?? {}).map((name) => [name, placeAtEnd(store, plan, name)]),
  );
  editing.commit(addMeeting(doc, plan, pair, places), "add a meeting");
}

/** Where somebody stands when their track ends, as far as their motion is known. */
function placeAtEnd(store: Store, plan: Plan, who: string): [number, number] | null {
  const hips = store.bodies.joints(who, ["hips"], lastOf(plan, who)?.last ?? 0)?.[0];
  return hips === undefined ? null : [hips[0], hips[2]];
}
