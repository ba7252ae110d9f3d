/** Times as a shot's file has them, and how a drag changes them. */

import type { Plan, PlannedSpan } from "../../net/messages";
import type { ShotDocument, When } from "./document";

const NAMED = /^\s*([A-Za-z][A-Za-z0-9_-]*?(?:\.[A-Za-z][A-Za-z0-9_-]*?){0,2})\s*([+-]\s*[0-9]*\.?[0-9]+)?\s*$/;

/** Milliseconds are enough for a file that people read. */
export const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** A time later by some seconds: names stay, what is added to them changes. */
export function shifted(when: When, by: number): When {
  if (typeof when === "number") return Math.max(0, rounded(when + by));
  const found = NAMED.exec(when);
  if (found === null) return when;
  const shift = rounded(Number((found[2] ?? "0").replace(/\s/g, "")) + by);
  if (shift === 0) return found[1] as string;
  return `${found[1] as string}${shift > 0 ? "+" : "-"}${String(Math.abs(shift))}`;
}

/** Seconds from a span's begin of a time within it. */
export function withinSpan(when: When, length: number): number | null {
  if (typeof when === "number") return when;
  const percent = /^\s*([0-9.]+)\s*%\s*$/.exec(when);
  return percent === null ? null : (Number(percent[1]) / 100) * length;
}

/** The same kind of time within a span (percentages stay such) at other seconds. */
export function asWithin(old: When | undefined, seconds: number, length: number): When {
  const inside = Math.min(Math.max(seconds, 0), length);
  if (typeof old === "string" && old.trim().endsWith("%")) {
    return `${String(Math.round((1000 * inside) / Math.max(length, 1e-6)) / 10)}%`;
  }
  return rounded(inside);
}

/** Seconds of a time in the shot, as far as the plan knows them. */
export function seconds(when: When, doc: ShotDocument, plan: Plan, who: string): number | null {
  if (typeof when === "number") return when;
  const found = NAMED.exec(when);
  if (found === null) return null;
  const shift = Number((found[2] ?? "0").replace(/\s/g, ""));
  const base = named((found[1] as string).split("."), doc, plan, who);
  return base === null ? null : base + shift;
}

function named(names: string[], doc: ShotDocument, plan: Plan, who: string): number | null {
  if (names.length === 1) {
    const time = doc.marks?.[names[0] as string]?.["time"];
    return typeof time === "number" ? time : null;
  }
  const owner = names.length === 3 ? (names[0] as string) : who;
  const [span, event] = names.slice(-2) as [string, string];
  const planned = spanNamed(plan, owner, span);
  if (planned === undefined) return null;
  return (event === "end" ? planned.last : planned.first) / plan.fps;
}

export const spanNamed = (plan: Plan, who: string, id: string): PlannedSpan | undefined =>
  plan.tracks[who]?.find((one) => one.id === id);

/** The span that lies at a time and follows others, not over them. */
export function spanAt(plan: Plan, who: string, time: number): PlannedSpan | undefined {
  const frame = time * plan.fps;
  const track = (plan.tracks[who] ?? []).filter((one) => !one.layer);
  return track.find((one) => one.first <= frame && frame < one.last) ?? track.at(-1);
}

/** A time told from the begin of the span that lies there, so that it moves with it. */
export function besideSpan(plan: Plan, who: string, time: number): When {
  const span = spanAt(plan, who, time);
  if (span === undefined) return rounded(time);
  const shift = rounded(time - span.first / plan.fps);
  return shifted(`${span.id}.start`, shift);
}

/** "0:03.2" */
export function clock(time: number): string {
  const minutes = Math.floor(time / 60);
  const rest = (time - 60 * minutes).toFixed(2).padStart(5, "0");
  return `${String(minutes)}:${rest}`;
}
