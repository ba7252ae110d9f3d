/** What a shot has at a time, as entries of lanes. */

import type { Character } from "../../model";
import type { Plan, PlannedSpan } from "../../net/messages";
import { type Fields, isFields, type Path, type ShotDocument, type When } from "./document";
import { partOf, spoken } from "./joints";
import { fieldsOf, trackPath } from "./spans";
import { seconds, withinSpan } from "./times";

export type LaneKind =
  | "spans" | "body" | "hand" | "foot" | "gaze" | "joint" | "path" | "style" | "layer";

export interface Item {
  /** Unlike any other's; its path in the document. */
  id: string;
  who: string;
  lane: LaneKind;
  path: Path;
  /** Index of its span in the document's track. */
  span: number;
  kind: string;
  label: string;
  /** Seconds; the same for a key. */
  start: number;
  end: number;
  /** Where the time that a drag changes is; none where it does not move by itself. */
  time: Path | null;
}

type Base = Pick<Item, "who" | "span"> & { start: number; length: number };

export const idOf = (path: Path): string => path.join("/");

/** Entries of a character in the order of time. */
export function itemsOf(
  doc: ShotDocument, plan: Plan, who: string, character?: Character,
): Item[] {
  const items = (plan.tracks[who] ?? []).flatMap((planned) => {
    const span = fieldsOf(doc, who, planned.index);
    return span === undefined ? [] : itemsOfSpan(doc, plan, who, planned, span, character);
  });
  return items.sort((a, b) => a.start - b.start);
}

function itemsOfSpan(
  doc: ShotDocument, plan: Plan, who: string, planned: PlannedSpan, span: Fields,
  character?: Character,
): Item[] {
  const path = trackPath(who, planned.index);
  const start = planned.first / plan.fps;
  const end = planned.last / plan.fps;
  const base: Base = { who, span: planned.index, start, length: end - start };
  if (planned.kind === "reach") return [reachItem(doc, plan, base, span, character)];
  const own: Item = {
    ...{ id: idOf(path), who, lane: planned.layer ? "layer" : "spans", path, start, end },
    ...{ span: planned.index, kind: planned.kind, label: planned.id, time: null },
  };
  return [
    own,
    ...placeItems(base, span),
    ...keyPoses(doc, plan, base, span),
    ...constraintItems(base, span, character),
  ];
}

function reachItem(
  doc: ShotDocument, plan: Plan, base: Base, span: Fields, character?: Character,
): Item {
  const joint = String(span["joint"] ?? "hand");
  const path = trackPath(base.who, base.span);
  const when = seconds((span["at"] ?? 0) as When, doc, plan, base.who) ?? base.start;
  const hold = typeof span["hold"] === "number" ? span["hold"] : 0;
  return {
    ...{ id: idOf(path), who: base.who, lane: partOf(joint, character), path, span: base.span },
    ...{ kind: "reach", label: spoken(joint), start: when, end: when + hold },
    time: [...path, "at"],
  };
}

function placeItems(base: Base, span: Fields): Item[] {
  const path = trackPath(base.who, base.span);
  const items: Item[] = [];
  const end = base.start + base.length;
  if (span["to"] !== undefined && span["do"] === "walk") {
    const label = typeof span["to"] === "string" ? `to ${span["to"]}` : "goal";
    items.push(key(base, "body", [...path, "to"], "goal", label, end, end, null));
  }
  const way = span["path"];
  if (Array.isArray(way) && way.length > 0) {
    const label = `way, ${String(way.length)} ${way.length === 1 ? "point" : "points"}`;
    items.push(key(base, "path", [...path, "path"], "path", label, base.start, end, null));
  }
  return items;
}

function keyPoses(doc: ShotDocument, plan: Plan, base: Base, span: Fields): Item[] {
  const keys = span["do"] === "between" ? span["keys"] : undefined;
  if (!Array.isArray(keys)) return [];
  return keys.filter(isFields).map((one, i) => {
    const path = [...trackPath(base.who, base.span), "keys", i];
    const time = seconds(one["time"] as When, doc, plan, base.who) ?? base.start + base.length;
    const label = `${String(one["clip"])} ${String(one["frame"])}`;
    return key(base, "body", path, "pose", label, time, time, [...path, "time"]);
  });
}

const FIELDS: Record<string, { lane: LaneKind; label: string }> = {
  body: { lane: "body", label: "checkpoint" },
  poses: { lane: "body", label: "pose" },
  key_poses: { lane: "body", label: "own pose" },
  still: { lane: "body", label: "stand" },
  joints: { lane: "joint", label: "joint" },
  paths: { lane: "path", label: "path" },
  style: { lane: "style", label: "style" },
};

function constraintItems(base: Base, span: Fields, character?: Character): Item[] {
  const given = span["constraints"];
  if (!isFields(given)) return [];
  return Object.entries(FIELDS).flatMap(([field, { lane, label }]) => {
    const entries = given[field];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry, i) => {
      if (!isFields(entry)) return [];
      const path = [...trackPath(base.who, base.span), "constraints", field, i];
      const joint = entry["joint"];
      const place = typeof joint === "string" ? partOf(joint, character) : lane;
      const text = joint ?? entry["label"] ?? entry["clip"] ?? label;
      return [timed(base, place, path, field, spoken(String(text)), entry)];
    });
  });
}

function timed(
  base: Base, lane: LaneKind, path: Path, kind: string, label: string, entry: Fields,
): Item {
  const field = entry["time"] !== undefined ? "time" : "from";
  const from = withinSpan((entry[field] ?? 0) as When, base.length) ?? 0;
  const to = entry["to"] as When | undefined;
  const last = field === "time" ? from : (withinSpan(to ?? base.length, base.length) ?? base.length);
  const [start, end] = [base.start + from, base.start + last];
  return key(base, lane, path, kind, label, start, end, [...path, field]);
}

function key(
  base: Base, lane: LaneKind, path: Path, kind: string, label: string, start: number, end: number,
  time: Path | null,
): Item {
  return { id: idOf(path), who: base.who, span: base.span, lane, path, kind, label, start, end, time };
}
