/** Changes of spans: their ends, their order, their names. */

import type { Op, Plan, PlannedSpan } from "../../net/messages";
import { apply, append, move, put, take } from "./ops";
import { at, type Fields, type Path, type ShotDocument, type SpanFields, spansOf } from "./document";
import { references, renamedTime } from "./references";
import { rounded, seconds, shifted } from "./times";

/** Kinds that lie over other spans. */
export const LAYERS = new Set(["reach", "correct"]);
/** No span gets shorter than this by a drag, seconds. */
export const SHORTEST = 0.2;

export const trackPath = (who: string, index: number): Path => ["tracks", who, index];

export const fieldsOf = (doc: ShotDocument, who: string, index: number): SpanFields | undefined =>
  spansOf(doc, who)[index];

/** Whether places in a span are those of the shot, not seen from where the body is. */
export const isInShot = (span: Fields | undefined): boolean =>
  span?.["do"] !== "synthesize" || (span["moved"] === false && span["position"] === undefined);

/** Move the end of a span by some seconds. */
export function moveEnd(doc: ShotDocument, plan: Plan, who: string, index: number, by: number): Op[] {
  const span = fieldsOf(doc, who, index);
  const planned = plan.tracks[who]?.find((one) => one.index === index);
  if (span === undefined || planned === undefined) return [];
  const path = trackPath(who, index);
  const own = movedOwnEnd(doc, path, span, planned, plan, by);
  if (own !== null) return own;
  const length = (planned.last - planned.first) / plan.fps;
  const least = Math.max(by, SHORTEST - length);
  for (const field of ["by", "until"]) {
    const when = span[field];
    if (typeof when === "number" || typeof when === "string") {
      return put(doc, [...path, field], shifted(when, least));
    }
  }
  return put(doc, [...path, "for"], rounded(length + least));
}

/** Of kinds whose end is told by fields of their own. */
function movedOwnEnd(
  doc: ShotDocument, path: Path, span: SpanFields, planned: PlannedSpan, plan: Plan, by: number,
): Op[] | null {
  if (span.do === "reach") return movedHold(doc, path, span, by);
  if (span.do === "between") return movedLastKey(doc, path, span, by);
  const isWhole = span["for"] === undefined && span["by"] === undefined;
  return span.do === "clip" && isWhole ? movedClip(doc, path, span, planned, plan, by) : null;
}

function movedHold(doc: ShotDocument, path: Path, span: Fields, by: number): Op[] {
  const hold = typeof span["hold"] === "number" ? span["hold"] : 0;
  return put(doc, [...path, "hold"], rounded(Math.max(0, hold + by)));
}

function movedLastKey(doc: ShotDocument, path: Path, span: Fields, by: number): Op[] {
  const keys = span["keys"];
  if (!Array.isArray(keys) || keys.length === 0) return [];
  const place = [...path, "keys", keys.length - 1, "time"];
  const time = at(doc, place);
  return typeof time === "number" || typeof time === "string"
    ? put(doc, place, shifted(time, by))
    : [];
}

function movedClip(
  doc: ShotDocument, path: Path, span: Fields, planned: PlannedSpan, plan: Plan, by: number,
): Op[] {
  const from = typeof span["from"] === "number" ? span["from"] : 0;
  const length = (planned.last - planned.first) / plan.fps;
  const to = typeof span["to"] === "number" ? span["to"] : from + length;
  return put(doc, [...path, "to"], rounded(Math.max(from + SHORTEST, to + by)));
}

/** Move the begin of a span: what is before it ends there, or it begins by itself. */
export function moveBegin(
  doc: ShotDocument, plan: Plan, who: string, index: number, by: number,
): Op[] {
  const span = fieldsOf(doc, who, index);
  if (span === undefined) return [];
  const path = trackPath(who, index);
  if (span.do === "reach") return movedTime(doc, [...path, "at"], by);
  const begin = span["begin"];
  if (begin !== undefined && begin !== null) return movedTime(doc, [...path, "begin"], by);
  const before = followed(plan, who, index);
  if (before === undefined) return [];
  const ops = moveEnd(doc, plan, who, before.index, by);
  return typeof span["for"] === "number"
    ? [...ops, ...put(doc, [...path, "for"], rounded(Math.max(SHORTEST, span["for"] - by)))]
    : ops;
}

function movedTime(doc: ShotDocument, path: Path, by: number): Op[] {
  const when = at(doc, path);
  return typeof when === "number" || typeof when === "string" ? put(doc, path, shifted(when, by)) : [];
}

/** The span that goes before one in time. */
export function followed(plan: Plan, who: string, index: number): PlannedSpan | undefined {
  const track = (plan.tracks[who] ?? []).filter((one) => !one.layer);
  const place = track.findIndex((one) => one.index === index);
  return place > 0 ? track[place - 1] : undefined;
}

/** Slide a whole span: what is before it gets longer or shorter, its own length stays. */
export function slide(doc: ShotDocument, plan: Plan, who: string, index: number, by: number): Op[] {
  const span = fieldsOf(doc, who, index);
  if (span === undefined) return [];
  const path = trackPath(who, index);
  if (span.do === "reach") return movedTime(doc, [...path, "at"], by);
  const before = followed(plan, who, index);
  const begin = span["begin"];
  const ops =
    begin !== undefined && begin !== null
      ? movedTime(doc, [...path, "begin"], by)
      : before === undefined
        ? []
        : moveEnd(doc, plan, who, before.index, by);
  if (ops.length === 0) return [];
  const ends = span["by"] ?? span["until"];
  return typeof ends === "number" ? [...ops, ...moveEnd(doc, plan, who, index, by)] : ops;
}

/** Put a span before another one of the same track; both then have lengths, not fixed ends. */
export function reorder(doc: ShotDocument, plan: Plan, who: string, from: number, to: number): Op[] {
  if (from === to) return [];
  let ops: Op[] = [];
  let now = doc;
  for (const one of plan.tracks[who] ?? []) {
    if (one.layer) continue;
    const more = withLength(now, plan, who, one);
    ops = [...ops, ...more];
    now = apply(now, more);
  }
  return [...ops, ...move(now, ["tracks", who], from, to)];
}

function withLength(doc: ShotDocument, plan: Plan, who: string, planned: PlannedSpan): Op[] {
  const path = trackPath(who, planned.index);
  const span = fieldsOf(doc, who, planned.index);
  const field = span?.["by"] !== undefined ? "by" : "until";
  if (typeof span?.[field] !== "number") return [];
  const removed = take(doc, [...path, field]);
  const length = rounded((planned.last - planned.first) / plan.fps);
  return [...removed, ...put(apply(doc, removed), [...path, "for"], length)];
}

/** Take a span out; times that named it become the seconds that they were. */
export function remove(doc: ShotDocument, plan: Plan, who: string, index: number): Op[] {
  const id = plan.tracks[who]?.find((one) => one.index === index)?.id;
  const freed =
    id === undefined
      ? []
      : references(doc, who, id).flatMap((found) => {
          const time = seconds(found.when, doc, plan, found.who);
          if (found.path.at(-1) === "over") return take(doc, found.path);
          const earlier = endBefore(plan, who, index, found.path);
          if (earlier !== null) return put(doc, found.path, renamedTime(found.when, id, earlier));
          return time === null ? [] : put(doc, found.path, rounded(time));
        });
  const ops = freed.filter((op) => !(op.path[1] === who && op.path[2] === index));
  return [...ops, ...take(apply(doc, ops), trackPath(who, index))];
}

/** The span with which a track ends without its last one, for those who wait until that ends. */
function endBefore(plan: Plan, who: string, index: number, path: Path): string | null {
  const isUntil = path[1] !== who && ["by", "until"].includes(String(path.at(-1)));
  const [before, last] = (plan.tracks[who] ?? []).filter((one) => !one.layer).slice(-2);
  return isUntil && last?.index === index && before !== undefined ? before.id : null;
}

/** Give a span another name, also where times name it. */
export function rename(doc: ShotDocument, plan: Plan, who: string, index: number, name: string): Op[] {
  const old = plan.tracks[who]?.find((one) => one.index === index)?.id;
  const ops = put(doc, [...trackPath(who, index), "id"], name);
  if (old === undefined) return ops;
  return [
    ...ops,
    ...renamedJoins(doc, old, name),
    ...references(doc, who, old).flatMap((found) =>
      put(doc, found.path, renamedTime(found.when, old, name)),
    ),
  ];
}

/** Times of single joins are told by the names of their spans. */
function renamedJoins(doc: ShotDocument, old: string, name: string): Op[] {
  return Object.entries(doc.joins ?? {}).flatMap(([join, value]) => {
    const ends = join.split("->");
    if (ends.length !== 2 || !ends.includes(old)) return [];
    const now = ends.map((one) => (one === old ? name : one)).join("->");
    return [...take(doc, ["joins", join]), { op: "set", path: ["joins", now], value, old: null }];
  });
}

/** The id of the span that a change put behind the others of a track; null where it added none. */
export function addedSpan(before: ShotDocument, now: ShotDocument, who: string): string | null {
  const count = spansOf(before, who).length;
  return spansOf(now, who).length > count ? trackPath(who, count).join("/") : null;
}

/** A name that no span of a track has: the kind, and a number from two on. */
export function freeName(doc: ShotDocument, plan: Plan | null, who: string, kind: string): string {
  const taken = new Set([
    ...spansOf(doc, who).map((span) => span["id"]),
    ...(plan?.tracks[who] ?? []).map((one) => one.id),
  ]);
  let name = kind;
  for (let n = 2; taken.has(name); n++) name = `${kind}_${String(n)}`;
  return name;
}

/** Add a span at the end of a track, or before the layers are met at a place of it. */
export function add(doc: ShotDocument, who: string, span: SpanFields, index?: number): Op[] {
  if (index === undefined) return append(doc, ["tracks", who], span);
  return [{ op: "insert", path: trackPath(who, index), value: span }];
}
