/** Hand keys that belong to a place: what is reached for from there moves along with it. */

import type { Op, Plan } from "../../net/messages";
import { at, isTriple, type Path, type ShotDocument, spansOf } from "./document";
import type { Item } from "./items";
import { apply, put } from "./ops";
import { movePlace, type Place, turnPlace } from "./places";
import { rounded } from "./times";

/** Points farther from a place than an arm and a step are not reached from there, metres. */
const REACH = 1.2;
/** A key so near in time to a checkpoint belongs to it, seconds. */
const NEAR = 0.4;
/** Kinds in which somebody stays where they are. */
const STAYS = new Set(["idle", "between"]);

type Ground = [number, number];
interface Companion {
  path: Path;
  at: [number, number, number];
}

/** Targets of hands, feet and eyes that are reached while somebody is at a place; each once. */
export function companions(doc: ShotDocument, plan: Plan, place: Place, items: readonly Item[]): Companion[] {
  const { who, time } = place;
  if (who === null || time === null || place.position[0] === "cast") return [];
  const until = leaves(doc, plan, who, time) + NEAR;
  const found = new Map<string, Companion>();
  for (const item of items) {
    if (item.who !== who || item.start < time - NEAR || item.start > until) continue;
    const one = companionOf(doc, item);
    if (one === null || Math.hypot(one.at[0] - place.at[0], one.at[2] - place.at[1]) > REACH) continue;
    found.set(one.path.join("/"), one);
  }
  return [...found.values()];
}

/** When somebody who is at a place at a time goes on. */
function leaves(doc: ShotDocument, plan: Plan, who: string, time: number): number {
  const track = (plan.tracks[who] ?? []).filter((one) => !one.layer);
  let until = time;
  for (const one of track) {
    const isNext = Math.abs(one.first / plan.fps - until) < 1.5 / plan.fps;
    if (isNext && STAYS.has(spansOf(doc, who)[one.index]?.do ?? "")) until = one.last / plan.fps;
  }
  return until;
}

function companionOf(doc: ShotDocument, item: Item): Companion | null {
  if (item.kind !== "reach" && item.kind !== "joints") return null;
  const own = [...item.path, item.kind === "reach" ? "target" : "position"];
  const value = at(doc, own);
  const path: Path = typeof value === "string" ? ["marks", value, "point"] : own;
  const point = at(doc, path);
  return isTriple(point) ? { path, at: point } : null;
}

/** Move a place, and what is reached for from there. */
export function moveWith(
  doc: ShotDocument, plan: Plan, place: Place, to: Ground, items: readonly Item[],
): Op[] {
  const by = [to[0] - place.at[0], to[1] - place.at[1]] as const;
  const shifted = companions(doc, plan, place, items).map((one): [Path, number[]] => [
    one.path, [one.at[0] + by[0], one.at[1], one.at[2] + by[1]],
  ]);
  return withTargets(doc, movePlace(doc, place, to), shifted);
}

/** Turn a place, and what is reached for from there around it. */
export function turnWith(
  doc: ShotDocument, plan: Plan, place: Place, angle: number, items: readonly Item[],
): Op[] {
  const turn = ((angle - (place.angle ?? angle)) * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
  const turned = companions(doc, plan, place, items).map((one): [Path, number[]] => {
    const [x, z] = [one.at[0] - place.at[0], one.at[2] - place.at[1]];
    return [one.path, [place.at[0] + x * cosine + z * sine, one.at[1], place.at[1] - x * sine + z * cosine]];
  });
  return withTargets(doc, turnPlace(doc, place, angle), turned);
}

function withTargets(doc: ShotDocument, ops: Op[], targets: [Path, number[]][]): Op[] {
  return targets.reduce<Op[]>(
    (all, [path, point]) => [...all, ...put(apply(doc, all), path, point.map(rounded))],
    ops,
  );
}
