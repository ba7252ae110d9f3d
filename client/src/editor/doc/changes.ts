/** Changes of keys: moved, made longer, taken out, added. */

import type { Character } from "../../model";
import type { Op, Plan } from "../../net/messages";
import { at, type Path, type ShotDocument, type Value, type When } from "./document";
import type { Item } from "./items";
import { calledInFile } from "./joints";
import { append, put, take } from "./ops";
import { relative } from "./poses";
import { fieldsOf, freeName, moveBegin, moveEnd, remove, slide, trackPath } from "./spans";
import { asWithin, besideSpan, rounded, shifted, spanAt, withinSpan } from "./times";

/** A reach that is this near in time is moved, not added to, seconds. */
export const SAME_TIME = 0.12;
/** People pass through the clips at about this speed, m/s. */
const WALKING = 1.15;
/** How long it takes to turn round, and to speed up and slow down, seconds: of three pairs of times
 *  tried on walks to places at random, the one after which the fewest problems are left. */
const TURNING = 2.2;
const STOPPING = 1;

/** Where a body is in the end, and which way along the ground it looks, if that is known. */
export interface Ending {
  at: [number, number];
  ahead: [number, number] | null;
}

/** How long somebody needs to get to a place: the turn and the stop besides the way, seconds. */
export function timeTo(place: [number, number], { at: from, ahead }: Ending): number {
  const [x, z] = [place[0] - from[0], place[1] - from[1]];
  const far = Math.hypot(x, z);
  const cosine = ahead === null || far < 1e-6 ? 1 : (ahead[0] * x + ahead[1] * z) / far;
  const turn = Math.acos(Math.min(1, Math.max(-1, cosine))) / Math.PI;
  return Math.max(1, Math.round(10 * (far / WALKING + TURNING * turn + STOPPING)) / 10);
}

const isSpan = (item: Item): boolean => item.lane === "spans" || item.lane === "layer";

/** Move an entry of a lane in time. */
export function moveItem(doc: ShotDocument, plan: Plan, item: Item, by: number): Op[] {
  if (isSpan(item) || item.kind === "reach") return slide(doc, plan, item.who, item.span, by);
  if (item.kind === "goal") return moveEnd(doc, plan, item.who, item.span, by);
  if (item.time === null) return [];
  if (item.kind === "pose") {
    const when = relative(at(doc, item.time) as When, doc, plan, item.who, item.span);
    return put(doc, item.time, shifted(when, by));
  }
  const ops = movedWithin(doc, plan, item, item.time, by);
  const to = [...item.path, "to"];
  return at(doc, to) === undefined ? ops : [...ops, ...movedWithin(doc, plan, item, to, by)];
}

/** Move where an entry begins or ends. */
export function moveItemEdge(
  doc: ShotDocument, plan: Plan, item: Item, edge: "start" | "end", by: number,
): Op[] {
  if (isSpan(item) || item.kind === "reach") {
    const change = edge === "start" ? moveBegin : moveEnd;
    return change(doc, plan, item.who, item.span, by);
  }
  if (item.time?.at(-1) !== "from") return moveItem(doc, plan, item, by);
  const path = edge === "start" ? item.time : [...item.path, "to"];
  return movedWithin(doc, plan, item, path, by);
}

function movedWithin(doc: ShotDocument, plan: Plan, item: Item, path: Path, by: number): Op[] {
  const length = lengthOf(plan, item.who, item.span);
  const old = at(doc, path) as When | undefined;
  const seconds = old === undefined ? length : withinSpan(old, length);
  return seconds === null ? [] : put(doc, path, asWithin(old, seconds + by, length));
}

function lengthOf(plan: Plan, who: string, index: number): number {
  const planned = plan.tracks[who]?.find((one) => one.index === index);
  return planned === undefined ? 0 : (planned.last - planned.first) / plan.fps;
}

/** Take an entry of a lane out. */
export function removeItem(doc: ShotDocument, plan: Plan, item: Item): Op[] {
  if (isSpan(item) || item.kind === "reach") return remove(doc, plan, item.who, item.span);
  if (item.kind === "pose") {
    const keys = at(doc, item.path.slice(0, -1)) as Value[];
    return keys.length > 1 ? take(doc, item.path) : [];
  }
  return take(doc, item.path);
}

/** A checkpoint where somebody clicked: in the walk at that time, else a walk that goes there. */
export function addCheckpoint(
  doc: ShotDocument, plan: Plan, who: string, span: number | null, time: number,
  place: [number, number], from: Ending,
): Op[] {
  const [x, z] = place.map(rounded) as [number, number];
  const planned = plan.tracks[who]?.find((one) => one.index === span && one.kind === "walk");
  const begin = (planned?.first ?? 0) / plan.fps;
  const length = lengthOf(plan, who, span ?? -1);
  const inside = time - begin;
  if (planned !== undefined && inside > 0.25 && inside < length - 0.25) {
    const entry = { time: rounded(inside), position: [x, z] };
    return append(doc, [...trackPath(who, planned.index), "constraints", "body"], entry);
  }
  const id = freeName(doc, plan, who, "walk");
  return append(doc, ["tracks", who], { id, do: "walk", to: [x, z], for: timeTo([x, z], from) });
}

/** A hand, foot or the eyes brought to a point on a frame: the key that is there is moved. */
export function reachTo(
  doc: ShotDocument, plan: Plan, who: string, joint: string, time: number,
  point: [number, number, number], items: Item[], character?: Character,
): Op[] {
  const target = point.map(rounded);
  const called = calledInFile(joint, character);
  const there = items.find((item) => isReachOf(doc, item, called, time, character));
  if (there !== undefined) return moveTarget(doc, there.path, target);
  return append(doc, ["tracks", who], {
    id: freeName(doc, plan, who, called),
    do: "reach",
    joint: called,
    target,
    at: besideSpan(plan, who, time),
    hold: 0.2,
  });
}

function isReachOf(
  doc: ShotDocument, item: Item, joint: string, time: number, character?: Character,
): boolean {
  if (item.kind !== "reach" && item.kind !== "joints") return false;
  const own = at(doc, [...item.path, "joint"]);
  if (typeof own !== "string" || calledInFile(own, character) !== joint) return false;
  return time >= item.start - SAME_TIME && time <= item.end + SAME_TIME;
}

/** Where a key's joint is wanted; a mark that it names moves. */
export function moveTarget(doc: ShotDocument, path: Path, point: Value[]): Op[] {
  const field = at(doc, [...path, "target"]) !== undefined ? "target" : "position";
  const old = at(doc, [...path, field]);
  const target = point.map((v) => rounded(v as number));
  return typeof old === "string"
    ? put(doc, ["marks", old, "point"], target)
    : put(doc, [...path, field], target);
}

/** A style painted on: over the part of the walk that lies there. */
export function paintStyle(
  doc: ShotDocument, plan: Plan, who: string, label: string, from: number, to: number,
): Op[] {
  const planned = spanAt(plan, who, (from + to) / 2);
  const span = planned === undefined ? undefined : fieldsOf(doc, who, planned.index);
  if (planned === undefined || span === undefined) return [];
  const path = trackPath(who, planned.index);
  if (span.do === "gait") return put(doc, [...path, "style"], label);
  if (span.do !== "walk") return [];
  const begin = planned.first / plan.fps;
  const length = lengthOf(plan, who, planned.index);
  const first = asWithin(undefined, from - begin, length);
  const last = asWithin(undefined, to - begin, length);
  return append(doc, [...path, "constraints", "style"], { from: first, to: last, label });
}
