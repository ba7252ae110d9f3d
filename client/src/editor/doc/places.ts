/** Places on the ground that a shot has, and how a drag changes them. */

import type { Op, Plan } from "../../net/messages";
import { at, isFields, isPair, type Path, type ShotDocument, spansOf } from "./document";
import { idOf, type Item } from "./items";
import { put } from "./ops";
import { isInShot } from "./spans";
import { rounded } from "./times";

export interface Place {
  /** Unlike any other's. */
  id: string;
  who: string | null;
  /** Where position and facing are, in the document. */
  position: Path;
  facing: Path;
  at: [number, number];
  angle: number | null;
  time: number | null;
  label: string;
}

/** Rings of everybody: starts, goals, checkpoints, key poses. */
export function placesOf(doc: ShotDocument, plan: Plan, who: string, items: Item[]): Place[] {
  const found = [startOf(doc, plan, who)];
  for (const item of items) {
    if (!isInShot(spansOf(doc, who)[item.span])) continue;
    if (item.kind === "goal") found.push(goalOf(doc, item));
    if (item.kind === "body" || item.kind === "pose") found.push(entryOf(doc, item));
  }
  return found.filter((place) => place !== null);
}

function startOf(doc: ShotDocument, plan: Plan, who: string): Place | null {
  if (plan.tracks[who] === undefined) return null;
  const path: Path = ["cast", who, "start"];
  const start = at(doc, path);
  const fields = isFields(start) ? start : {};
  const place = isPair(fields["position"]) ? fields["position"] : ([0, 0] as [number, number]);
  const angle = typeof fields["facing"] === "number" ? fields["facing"] : 0;
  return {
    ...{ id: idOf(path), who, position: [...path, "position"], facing: [...path, "facing"] },
    ...{ at: place, angle, time: 0, label: `${who} begins` },
  };
}

function goalOf(doc: ShotDocument, item: Item): Place | null {
  const span = item.path.slice(0, -1);
  const facing = [...span, "facing"];
  const goal = at(doc, item.path);
  if (typeof goal === "string") return markOf(doc, goal, item, facing);
  if (!isPair(goal)) return null;
  return placed(doc, item, item.path, facing, goal);
}

function markOf(doc: ShotDocument, mark: string, item: Item, own: Path): Place | null {
  const path: Path = ["marks", mark];
  const position = at(doc, [...path, "position"]);
  if (!isPair(position)) return null;
  const facing = at(doc, own) === undefined ? [...path, "facing"] : own;
  return placed(doc, { ...item, label: mark }, [...path, "position"], facing, position);
}

function entryOf(doc: ShotDocument, item: Item): Place | null {
  const position = [...item.path, "position"];
  const place = at(doc, position);
  const facing = [...item.path, "facing"];
  if (typeof place === "string") return markOf(doc, place, item, facing);
  return isPair(place) ? placed(doc, item, position, facing, place) : null;
}

function placed(
  doc: ShotDocument, item: Item, position: Path, facing: Path, place: [number, number],
): Place {
  const angle = at(doc, facing);
  return {
    ...{ id: item.id, who: item.who, position, facing, at: place, time: item.start },
    ...{ angle: typeof angle === "number" ? angle : null, label: item.label },
  };
}

export const movePlace = (doc: ShotDocument, place: Place, to: [number, number]): Op[] =>
  put(doc, place.position, to.map(rounded));

/** Turn a place; degrees from +Z towards +X, -180 to 180. */
export function turnPlace(doc: ShotDocument, place: Place, angle: number): Op[] {
  const inside = ((((angle + 180) % 360) + 360) % 360) - 180;
  return put(doc, place.facing, Math.round(inside * 10) / 10);
}

/** Points of ways that can be dragged: of gaits, and of paths in walks. */
export function wayPoints(doc: ShotDocument, who: string): { path: Path; at: [number, number] }[] {
  return spansOf(doc, who).flatMap((_span, i) => {
    const own: Path = ["tracks", who, i];
    const ways: Path[] = [[...own, "path"]];
    const paths = at(doc, [...own, "constraints", "paths"]);
    if (Array.isArray(paths)) {
      paths.forEach((_, k) => ways.push([...own, "constraints", "paths", k, "points"]));
    }
    return ways.flatMap((way) => pointsAt(doc, way));
  });
}

function pointsAt(doc: ShotDocument, way: Path): { path: Path; at: [number, number] }[] {
  const points = at(doc, way);
  if (!Array.isArray(points)) return [];
  return points.flatMap((point, i) => {
    if (isPair(point)) return [{ path: [...way, i], at: point }];
    const mark: Path = ["marks", String(point), "position"];
    const place = at(doc, mark);
    return isPair(place) ? [{ path: mark, at: place }] : [];
  });
}
