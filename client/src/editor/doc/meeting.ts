/** A meeting that can be made: two walk to where they meet, from wherever they stand in the end. */

import type { Op, Plan } from "../../net/messages";
import { lastOf, waits } from "./adding";
import { type Fields, type ShotDocument, spansOf, type Value } from "./document";
import { isFree } from "./free";
import { append, apply } from "./ops";
import { freeName } from "./spans";
import { rounded } from "./times";

type Ground = [number, number];

/** How far apart two who meet stand, metres: an arm's length. */
const APART = 0.85;
/** A walk to a meeting is at least so long, metres: who starts, turns and stops within 2 m glides. */
const SHORTEST = 3;
/** How fast they come, m/s, and what starting, turning and stopping take besides, seconds. */
const PACE = 1;
const TURNS = 4;
/** How long they come when nobody knows from where, seconds. */
const COMES = 6;
/** How long they stay, when in it they meet, and how long the meeting holds, seconds. */
const STAYS = 2.5;
const MEETS = 1;
const HOLD = 0.6;
/** Other places to meet lie so far aside, metres, and so many are tried. */
const STEP = 0.5;
const ASIDE = 16;

/** Where two meet. */
interface Spot {
  position: Ground;
  /** From the first to the second, degrees from +Z towards +X. */
  heading: number;
  /** The longer of both walks, metres. */
  way: number;
}

/** Two meet behind all that they do; `places` are where people stand in the end, if known. */
export function addMeeting(
  doc: ShotDocument, plan: Plan, between: [string, string], places: Record<string, Ground | null>,
): Op[] {
  const [first, second] = between;
  const spot = spotOf(doc, between, places);
  const seconds = spot === null ? COMES : rounded(spot.way / PACE + TURNS);
  const ops = [...together(doc, plan, between)];
  const names = { come: "", talk: "" };
  const add = (who: string, span: Fields): void => {
    ops.push(...append(apply(doc, ops), ["tracks", who], span));
  };
  names.come = freeName(doc, plan, first, "come");
  add(first, { id: names.come, do: "walk", for: seconds });
  names.talk = freeName(apply(doc, ops), plan, first, "talk");
  add(first, { id: names.talk, do: "idle", for: STAYS });
  add(second, { id: freeName(doc, plan, second, "come"), do: "walk", until: `${first}.${names.come}.end` });
  add(second, { id: freeName(doc, plan, second, "talk"), do: "idle", until: `${first}.${names.talk}.end` });
  for (const other of Object.keys(plan.tracks)) {
    if (between.includes(other)) continue;
    ops.push(...waits(apply(doc, ops), plan, other, `${first}.${names.talk}.end`));
  }
  const where: Record<string, Value> =
    spot === null ? {} : { position: spot.position, heading: spot.heading };
  const time = `${first}.${names.talk}.start+${String(MEETS)}`;
  const meeting = { time, hold: HOLD, between, distance: APART, ...where };
  return [...ops, ...append(apply(doc, ops), ["meet"], meeting)];
}

/** Who is done earlier waits for the other. */
function together(doc: ShotDocument, plan: Plan, between: [string, string]): Op[] {
  const ends = between.map((who) => lastOf(plan, who)?.last ?? 0);
  const [early, late] = (ends[0] ?? 0) < (ends[1] ?? 0) ? between : [between[1], between[0]];
  const last = lastOf(plan, late);
  if (ends[0] === ends[1] || last === undefined) return [];
  return waits(doc, plan, early, `${late}.${last.id}.end`);
}

/** Where both can walk to and nobody stands: between them, or aside of that. */
function spotOf(
  doc: ShotDocument, between: [string, string], places: Record<string, Ground | null>,
): Spot | null {
  const [a, b] = between.map((who) => places[who] ?? null);
  if (a === null || b === null || a === undefined || b === undefined) return null;
  const [x, z] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(x, z);
  const ahead: Ground = length > 1e-3 ? [x / length, z / length] : [0, 1];
  const others = Object.entries(places).flatMap(([who, place]) =>
    place === null || between.includes(who) ? [] : [place],
  );
  for (let k = 0; k <= 2 * ASIDE; k++) {
    const aside = (k % 2 === 1 ? 1 : -1) * Math.ceil(k / 2) * STEP;
    const middle: Ground = [(a[0] + b[0]) / 2 + aside * ahead[1], (a[1] + b[1]) / 2 - aside * ahead[0]];
    const stands = [-1, 1].map((side): Ground => [
      middle[0] + (side * APART * ahead[0]) / 2,
      middle[1] + (side * APART * ahead[1]) / 2,
    ]);
    const ways = [a, b].map((from, i) => apart(from, stands[i] as Ground));
    if (Math.min(...ways) < SHORTEST || !stands.every((stand) => isFree(doc, stand, others))) continue;
    return {
      position: [rounded(middle[0]), rounded(middle[1])],
      heading: Math.round((1800 * Math.atan2(ahead[0], ahead[1])) / Math.PI) / 10,
      way: Math.max(...ways),
    };
  }
  return null;
}

const apart = (a: Ground, b: Ground): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Who meets when it is not said: the one who is chosen, and the first other. */
export function pairOf(doc: ShotDocument, who: string | null): [string, string] | null {
  const cast = Object.keys(doc.cast ?? {}).filter((name) => spansOf(doc, name).length > 0);
  const first = who !== null && cast.includes(who) ? who : cast[0];
  const second = cast.find((name) => name !== first);
  return first === undefined || second === undefined ? null : [first, second];
}
