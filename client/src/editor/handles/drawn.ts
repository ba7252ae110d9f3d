/** What of a shot is drawn in the view, by ids from which it is known again. */

import type { Drawable } from "../../model";
import { at, isFields, isTriple, type Path, type ShotDocument } from "../doc/document";
import { lengthOf, turnField } from "../doc/footprint";
import { idOf, type Item } from "../doc/items";
import { type Place, placesOf, wayPoints } from "../doc/places";
import { type Solid, solidsOf } from "../doc/solids";
import { fieldsOf, isInShot } from "../doc/spans";
import { clock } from "../doc/times";
import type { Store } from "../store";

/** A joint's target: a key of a hand, foot or the eyes. */
export interface Point {
  item: Item;
  at: [number, number, number];
}

/** All that can be taken hold of, by id. */
export interface Handles {
  places: Map<string, Place>;
  points: Map<string, Point>;
  ways: Map<string, { path: Path; at: [number, number] }>;
  solids: Map<string, Solid>;
}

const PREFIX = "shot/";
/** How far from the middle of its ring a place is turned, metres. */
export const TURN = 0.52;

export function handlesOf(store: Store): Handles {
  const { doc, plan } = store.now;
  const handles: Handles = {
    ...{ places: new Map(), points: new Map(), ways: new Map(), solids: new Map() },
  };
  if (plan === null) return handles;
  for (const who of Object.keys(plan.tracks)) {
    const items = store.items(who);
    for (const place of placesOf(doc, plan, who, items)) {
      handles.places.set(`${PREFIX}place/${place.id}`, place);
    }
    for (const point of pointsOf(doc, items)) {
      handles.points.set(`${PREFIX}point/${point.item.id}`, point);
    }
    for (const way of wayPoints(doc, who)) handles.ways.set(`${PREFIX}way/${idOf(way.path)}`, way);
  }
  for (const solid of solidsOf(doc)) handles.solids.set(`${PREFIX}solid/${idOf(solid.path)}`, solid);
  return handles;
}

function pointsOf(doc: ShotDocument, items: Item[]): Point[] {
  return items.flatMap((item) => {
    if (item.kind !== "reach" && item.kind !== "joints") return [];
    if (!isInShot(fieldsOf(doc, item.who, item.span))) return [];
    const own = at(doc, [...item.path, item.kind === "reach" ? "target" : "position"]);
    const place = typeof own === "string" ? at(doc, ["marks", own, "point"]) : own;
    return isTriple(place) ? [{ item, at: place }] : [];
  });
}

/** Things for the stage to draw; those of the open character are named. */
export function drawables(store: Store, handles: Handles, chosen: string | null): Map<string, Drawable> {
  const { who, doc } = store.now;
  const found = new Map<string, Drawable>();
  for (const [id, place] of handles.places) {
    found.set(id, ringOf(store, place));
    if (place.id === chosen) found.set(`${PREFIX}turn/${place.id}`, turnHandle(place));
  }
  for (const [id, point] of handles.points) {
    const label = point.item.who === who ? `${point.item.label} ${clock(point.item.start)}` : "";
    found.set(id, { kind: "point", position: point.at, label });
  }
  addWays(handles, found);
  for (const [id, solid] of handles.solids) {
    found.set(id, { ...(at(doc, solid.path) as object), kind: solid.shape });
    const knob = idOf(solid.path) === chosen ? solidKnob(doc, solid) : null;
    if (knob !== null) found.set(`${PREFIX}turn/${idOf(solid.path)}`, knob);
  }
  return found;
}

/** A ring; those of others have their colour. */
function ringOf(store: Store, place: Place): Drawable {
  const { who, characters } = store.now;
  const isOpen = place.who === who;
  const time = place.time ?? 0;
  const label = isOpen && time > 0 ? `${place.label} ${clock(time)}` : "";
  const color = isOpen ? undefined : characters[place.who ?? ""]?.color;
  return { kind: "ring", position: place.at, facing: place.angle ?? undefined, label, color };
}

/** Where a chosen place is turned: ahead of it. */
export function turnAt(place: Place): [number, number, number] {
  const angle = ((place.angle ?? 0) * Math.PI) / 180;
  return [place.at[0] + TURN * Math.sin(angle), 0.04, place.at[1] + TURN * Math.cos(angle)];
}

/** Where a solid is turned: ahead of where it ends; null where it looks the same from all sides. */
export function solidTurnAt(doc: ShotDocument, solid: Solid): [number, number, number] | null {
  const field = turnField(solid.shape);
  const fields = at(doc, solid.path);
  if (field === null || !isFields(fields)) return null;
  const angle = (Number(fields[field] ?? 0) * Math.PI) / 180;
  const far = Math.min(lengthOf(fields), 6) + TURN / 2;
  return [solid.at[0] + far * Math.sin(angle), 0.04, solid.at[1] + far * Math.cos(angle)];
}

function solidKnob(doc: ShotDocument, solid: Solid): Drawable | null {
  const position = solidTurnAt(doc, solid);
  return position && { kind: "point", position, label: "turn" };
}

const turnHandle = (place: Place): Drawable => ({
  ...{ kind: "point", position: turnAt(place), label: place.angle === null ? "turn" : "" },
});

function addWays(handles: Handles, found: Map<string, Drawable>): void {
  const ways = new Map<string, [number, number][]>();
  for (const [id, one] of handles.ways) {
    const way = id.slice(0, id.lastIndexOf("/"));
    ways.set(way, [...(ways.get(way) ?? []), one.at]);
  }
  for (const [id, points] of ways) {
    found.set(`${id}/`, { kind: "path", points, knots: points });
  }
}
