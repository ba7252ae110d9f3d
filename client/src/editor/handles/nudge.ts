/** Places and points of the view moved by keys. */

import type { Op } from "../../net/messages";
import { moveTarget } from "../doc/changes";
import { moveWith, turnWith } from "../doc/companions";
import { movePlace, type Place, turnPlace } from "../doc/places";
import type { Editing } from "../editing";
import type { Stage } from "../../scene";
import type { Store } from "../store";
import { alongView } from "./cursor";
import { type Handles, handlesOf } from "./drawn";

/** By a press, metres and degrees. */
const STEP = 0.05;
const ANGLE = 5;
/** Ahead, up and to the right, as the camera looks. */
const WAYS: Record<string, [number, number, number]> = {
  ...{ ArrowUp: [1, 0, 0], ArrowDown: [-1, 0, 0], ArrowRight: [0, 0, 1], ArrowLeft: [0, 0, -1] },
  ...{ PageUp: [0, 1, 0], PageDown: [0, -1, 0] },
};
const TURNS: Record<string, number> = { "[": ANGLE, "]": -ANGLE };

/** Move what is chosen, where the key is one for that. */
export function nudge(
  store: Store, editing: Editing, stage: Stage, event: KeyboardEvent,
): boolean {
  const way = event.altKey ? wayOf(stage, event.key) : undefined;
  const turn = TURNS[event.key];
  const { chosen } = store.now;
  if (chosen === null || (way === undefined && turn === undefined)) return false;
  const ops = way === undefined ? turned(store, chosen, turn ?? 0) : moved(store, chosen, way);
  editing.commit(ops, `move ${store.chosenItem?.label ?? "a place"}`);
  return ops.length > 0;
}

function wayOf(stage: Stage, key: string): [number, number, number] | undefined {
  const way = WAYS[key];
  if (way === undefined) return undefined;
  const [x, z] = alongView(stage, way[0], way[2]);
  return [x, way[1], z];
}

function turned(store: Store, chosen: string, angle: number): Op[] {
  const place = placeOf(handlesOf(store), chosen);
  return place === undefined ? [] : turnedAlong(store, place, (place.angle ?? 0) + angle);
}

/** The place that is chosen, or where a chosen walk ends. */
const placeOf = ({ places }: Handles, chosen: string): Place | undefined =>
  places.get(`shot/place/${chosen}`) ?? places.get(`shot/place/${chosen}/to`);

function moved(store: Store, chosen: string, way: [number, number, number]): Op[] {
  const handles = handlesOf(store);
  const place = placeOf(handles, chosen);
  const [x, y, z] = way.map((one) => STEP * one) as [number, number, number];
  if (place !== undefined) {
    return movedAlong(store, place, [place.at[0] + x, place.at[1] + z]);
  }
  const point = handles.points.get(`shot/point/${chosen}`);
  if (point === undefined) return [];
  const [px, py, pz] = point.at;
  return moveTarget(store.now.doc, point.item.path, [px + x, py + y, pz + z]);
}

/** A place moved with what is reached for from there. */
function movedAlong(store: Store, place: Place, to: [number, number]): Op[] {
  const { doc, plan } = store.now;
  if (plan === null || place.who === null) return movePlace(doc, place, to);
  return moveWith(doc, plan, place, to, store.items(place.who));
}

/** A place turned with what is reached for from there. */
function turnedAlong(store: Store, place: Place, angle: number): Op[] {
  const { doc, plan } = store.now;
  if (plan === null || place.who === null) return turnPlace(doc, place, angle);
  return turnWith(doc, plan, place, angle, store.items(place.who));
}
