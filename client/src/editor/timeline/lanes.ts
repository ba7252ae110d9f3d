/** Which lanes are shown, and what is in them. */

import type { PlannedMeeting } from "../../net/messages";
import type { Item, LaneKind } from "../doc/items";
import type { Store } from "../store";

export type StripKind = "contacts" | "pieces" | "meet";

export interface Lane {
  id: string;
  who: string;
  kind: LaneKind | StripKind;
  label: string;
  items: Item[];
  /** For each item, in which row of the lane it is. */
  rows: number[];
  height: number;
}

export const ROW = 22;
const NAMES: [LaneKind, string, boolean][] = [
  ["spans", "Spans", true],
  ["layer", "Layers", false],
  ["body", "Body", true],
  ["hand", "Hands", true],
  ["foot", "Feet", false],
  ["gaze", "Gaze", false],
  ["joint", "Joints", false],
  ["path", "Paths", false],
  ["style", "Style", true],
];
const STRIPS: [StripKind, string][] = [
  ["contacts", "Contacts"],
  ["pieces", "Pieces"],
];

/** Lanes of everybody: all of the open character, the spans of the others. */
export function lanesOf(store: Store): Lane[] {
  const { plan, who } = store.now;
  return Object.keys(plan?.tracks ?? {}).flatMap((name) => {
    const items = store.items(name);
    const lanes = NAMES.flatMap(([kind, label, always]) => {
      if (name !== who && kind !== "spans") return [];
      const own = items.filter((item) => item.lane === kind);
      return always || own.length > 0 ? [laneOf(name, kind, label, own)] : [];
    });
    if (name !== who) return lanes;
    const meets = meetingsOf(store, name).length > 0 ? [laneOf(name, "meet", "Meetings", [])] : [];
    return [...lanes, ...meets, ...STRIPS.map(([kind, label]) => laneOf(name, kind, label, []))];
  });
}

/** Meetings in which a character takes part. */
export function meetingsOf(store: Store, who: string): PlannedMeeting[] {
  return (store.now.plan?.meetings ?? []).filter((one) => one.between.includes(who));
}

function laneOf(who: string, kind: Lane["kind"], label: string, items: Item[]): Lane {
  const rows = stacked(items);
  const count = rows.length === 0 ? 1 : Math.max(...rows) + 1;
  return { id: `${who}/${kind}`, who, kind, label, items, rows, height: count * ROW };
}

/** Rows in which entries that overlap lie below each other. */
export function stacked(items: readonly Item[]): number[] {
  const ends: number[] = [];
  return items.map((item) => {
    const free = ends.findIndex((end) => end <= item.start + 1e-6);
    const row = free < 0 ? ends.length : free;
    ends[row] = Math.max(item.end, item.start + 0.05);
    return row;
  });
}
