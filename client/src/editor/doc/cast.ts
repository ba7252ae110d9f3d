/** Another character: beside the others, and there until the shot ends. */

import type { Library, Op, Plan } from "../../net/messages";
import { lastOf } from "./adding";
import { at, type Fields, isPair, type ShotDocument, type SpanFields, spansOf } from "./document";
import { isFree } from "./free";
import { apply, put } from "./ops";
import { rounded } from "./times";

const NAMES = [
  ...["anna", "ben", "cleo", "dan", "eva", "finn", "gus", "hana", "ian", "jo", "kim", "lou"],
];
const STEP = 0.3;
/** Places are tried so far away, in steps. */
const FAR = 40;
/** How long somebody waits in a shot whose end is not known, seconds. */
const ALONE = 4;

type Ground = [number, number];

/** A name that nobody has. */
export function freeMember(doc: ShotDocument): string {
  const free = (name: string): boolean => at(doc, ["cast", name]) === undefined;
  let n = 2;
  while (!free(`extra_${String(n)}`)) n++;
  return NAMES.find(free) ?? `extra_${String(n)}`;
}

/** Somebody more with the clips of the first, who waits until the shot ends, out of the way. */
export function addMember(
  doc: ShotDocument, plan: Plan | null, name: string, ways: readonly Ground[],
  library: Library | null = null,
): Op[] {
  const taken = [...ways, ...startsOf(doc)];
  const start = { position: freePlace(doc, taken), facing: 0 };
  const cast = put(doc, ["cast", name], { ...clipsOf(doc), start });
  return [...cast, ...put(apply(doc, cast), ["tracks", name], [spanOf(doc, plan, library)])];
}

/** Which clips somebody has who is already there: a shot may name none for all. */
function clipsOf(doc: ShotDocument): Fields {
  const [first] = Object.values(doc.cast ?? {});
  const own = ["library", "clips", "labels"].flatMap((key) => {
    const value = at(first, [key]);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(own);
}

/** Waiting, or where the body of the clips cannot wait, a clip. */
function spanOf(doc: ShotDocument, plan: Plan | null, library: Library | null): SpanFields {
  const [clip] = library?.clips ?? [];
  if (library?.waits === false && clip !== undefined) return { id: "show", do: "clip", clip: clip.name };
  return { id: "wait", do: "idle", ...endOf(doc, plan) };
}

/** When the shot ends: with the span that ends last, also when that gets longer. */
function endOf(doc: ShotDocument, plan: Plan | null): Fields {
  const ends = Object.keys(plan?.tracks ?? {}).flatMap((who) => {
    const last = plan === null ? undefined : lastOf(plan, who);
    const isThere = last !== undefined && spansOf(doc, who)[last.index] !== undefined;
    return isThere ? [{ who, id: last.id, last: last.last }] : [];
  });
  const [first, ...others] = ends;
  if (first === undefined) return { for: ALONE };
  const longest = others.reduce((best, one) => (one.last > best.last ? one : best), first);
  return { until: `${longest.who}.${longest.id}.end` };
}

/** Where everybody begins. */
function startsOf(doc: ShotDocument): Ground[] {
  return Object.keys(doc.cast ?? {}).map((who) => {
    const place = at(doc, ["cast", who, "start", "position"]);
    return isPair(place) ? place : [0, 0];
  });
}

/** A place to the left or right of who came last that is far enough from all. */
function freePlace(doc: ShotDocument, taken: readonly Ground[]): Ground {
  const [first] = taken.slice(-1);
  const from = first ?? [0, 0];
  for (let i = 1; i <= FAR; i++) {
    for (const side of [1, -1]) {
      const place: Ground = [rounded(from[0] + side * i * STEP), rounded(from[1])];
      if (isFree(doc, place, taken)) return place;
    }
  }
  return [rounded(from[0] + FAR * STEP), rounded(from[1])];
}
