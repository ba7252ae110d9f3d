/** Another character: beside the others, and there until the shot ends. */

import type { Op, Plan } from "../../net/messages";
import { lastOf } from "./adding";
import { at, type Fields, isPair, type ShotDocument, spansOf } from "./document";
import { apply, put } from "./ops";
import { rounded } from "./times";

const NAMES = [
  ...["anna", "ben", "cleo", "dan", "eva", "finn", "gus", "hana", "ian", "jo", "kim", "lou"],
];
/** Room between one who stands and the ways of others, metres. */
const ROOM = 0.9;
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

/** Somebody more, who waits until the shot ends, out of the way of the others. */
export function addMember(
  doc: ShotDocument, plan: Plan | null, name: string, ways: readonly Ground[],
): Op[] {
  const taken = [...ways, ...startsOf(doc)];
  const start = { position: freePlace(taken), facing: 0 };
  const cast = put(doc, ["cast", name], { start });
  const wait = { id: "wait", do: "idle", ...endOf(doc, plan) };
  return [...cast, ...put(apply(doc, cast), ["tracks", name], [wait])];
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
function freePlace(taken: readonly Ground[]): Ground {
  const [first] = taken.slice(-1);
  const from = first ?? [0, 0];
  for (let i = 1; i <= FAR; i++) {
    for (const side of [1, -1]) {
      const place: Ground = [rounded(from[0] + side * i * STEP), rounded(from[1])];
      if (taken.every(([x, z]) => Math.hypot(x - place[0], z - place[1]) >= ROOM)) return place;
    }
  }
  return [rounded(from[0] + FAR * STEP), rounded(from[1])];
}
