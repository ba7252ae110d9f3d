/** Spans as they are added: at times that hold, and at places that can be reached from there. */

import type { Point3 } from "../../model";
import type { Library, Op, Plan, PlannedSpan } from "../../net/messages";
import { type ShotDocument, type SpanFields, spansOf } from "./document";
import { newSpan } from "./kinds";
import { apply, append, put, take } from "./ops";
import { references } from "./references";
import { freeName, LAYERS, trackPath } from "./spans";
import { besideSpan, rounded } from "./times";

/** How far ahead a walk goes that is added, metres, and how long it may take for that, seconds. */
const AHEAD = 3;
const TAKES = 3.2;
/** A point that is added lies so far ahead of the hand, metres. */
const BESIDE = 0.15;
/** How long a reach stays, and how long it has at least before the shot ends, seconds. */
const HOLD = 0.3;
const REST = 0.4;
/** How long a bridge between poses takes, seconds. */
const BRIDGE = 1;

/** What is known of the body where a span is added. */
export interface Standing {
  /** Where it stands, and where it looks along the ground. */
  at: [number, number];
  ahead: [number, number];
  /** Its right hand. */
  hand: Point3;
}

/** Where the body looks, along the ground, by its hips. */
export function aheadOf(left: Point3, right: Point3): [number, number] {
  const [x, z] = [right[2] - left[2], left[0] - right[0]];
  const length = Math.hypot(x, z);
  return length > 1e-6 ? [x / length, z / length] : [0, 1];
}

/** When a span of a kind that is added begins: layers at the playhead, others behind the last. */
export function timeToAdd(plan: Plan, who: string, kind: string, playhead: number): number {
  const end = (lastOf(plan, who)?.last ?? 0) / plan.fps;
  return LAYERS.has(kind) ? Math.max(0, Math.min(playhead, end - HOLD - REST)) : end;
}

/** The last span of those that follow each other. */
export const lastOf = (plan: Plan, who: string): PlannedSpan | undefined =>
  (plan.tracks[who] ?? []).filter((one) => !one.layer).at(-1);

/** A span as it is added at a time to somebody who stands there. */
export function spanToAdd(
  doc: ShotDocument, plan: Plan, who: string, kind: string, time: number, library: Library | null,
  standing: Standing | null,
): SpanFields {
  const id = freeName(doc, plan, who, kind);
  const span = newSpan(kind, id, time, library);
  if (kind === "between") return withTime(span, `${id}.start+${String(BRIDGE)}`);
  if (kind === "walk" && standing !== null) {
    return { ...span, to: along(standing.at, standing.ahead), for: TAKES };
  }
  if (kind !== "reach") return span;
  const target = standing === null ? span["target"] : beside(standing);
  return { ...span, target: target ?? null, at: besideSpan(plan, who, time), hold: HOLD };
}

function withTime(span: SpanFields, time: string): SpanFields {
  const keys = Array.isArray(span["keys"]) ? span["keys"] : [];
  return { ...span, keys: keys.map((one) => ({ ...(one as object), time })) };
}

const along = (from: [number, number], way: [number, number]): [number, number] => [
  rounded(from[0] + AHEAD * way[0]),
  rounded(from[1] + AHEAD * way[1]),
];

function beside({ hand: [x, y, z], ahead }: Standing): Point3 {
  return [rounded(x + BESIDE * ahead[0]), rounded(y), rounded(z + BESIDE * ahead[1])];
}

/** Changes, and what the others do until a track ends that gets longer by them: they wait. */
export function withOthers(doc: ShotDocument, plan: Plan, who: string, ops: Op[]): Op[] {
  const now = apply(doc, ops);
  const added = spansOf(now, who).at(-1);
  const isLonger = spansOf(now, who).length > spansOf(doc, who).length;
  if (!isLonger || added === undefined || LAYERS.has(added.do)) return ops;
  const until = `${who}.${String(added["id"])}.end`;
  return Object.keys(plan.tracks)
    .filter((other) => other !== who)
    .reduce<Op[]>((all, other) => [...all, ...waits(apply(doc, all), plan, other, until)], ops);
}

/** Somebody waits until a time, in the last span if that is waiting and nobody waits for its end. */
export function waits(doc: ShotDocument, plan: Plan, who: string, until: string): Op[] {
  const last = lastOf(plan, who);
  const span = last === undefined ? undefined : spansOf(doc, who)[last.index];
  if (last === undefined || span === undefined) return [];
  if (span.do !== "idle" || references(doc, who, last.id).length > 0) {
    const id = freeName(doc, plan, who, "wait");
    return append(doc, ["tracks", who], { id, do: "idle", until });
  }
  const path = trackPath(who, last.index);
  const freed = ["for", "by"].flatMap((field) => take(doc, [...path, field]));
  return [...freed, ...put(apply(doc, freed), [...path, "until"], until)];
}
