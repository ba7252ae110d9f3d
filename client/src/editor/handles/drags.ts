/** Drags in the view: what each kind of handle makes of where the mouse is. */

import { Plane, Vector3 } from "three";
import type { Stage } from "../../scene";
import type { Op, Plan } from "../../net/messages";
import { moveTarget, reachTo } from "../doc/changes";
import { moveWith, turnWith } from "../doc/companions";
import type { ShotDocument } from "../doc/document";
import type { Item } from "../doc/items";
import { spoken } from "../doc/joints";
import { put } from "../doc/ops";
import { movePlace, type Place, turnPlace } from "../doc/places";
import { moveSolid, turnSolid } from "../doc/solids";
import { rounded } from "../doc/times";
import type { Store } from "../store";
import type { Held } from "./hits";
import type { Point } from "./drawn";

export interface Pull {
  label: string;
  /** Changes of the document before the drag, for where the mouse is. */
  ops: (doc: ShotDocument, event: MouseEvent) => Op[];
}

/** How a handle is pulled; null where it cannot be. */
export function pullOf(held: Held, start: MouseEvent, stage: Stage, store: Store, chosen: Point | null): Pull | null {
  switch (held.kind) {
    case "axis":
      return chosen && alongAxis(held.way, chosen, start, stage);
    case "turn":
      return turn(held.place, stage, store);
    case "knob":
      return turnAround(held.solid.at, `turn ${held.solid.label}`, stage, (doc, angle) =>
        turnSolid(doc, held.solid, angle),
      );
    case "point":
      return inScreenPlane(new Vector3(...held.point.at), start, stage, `move ${held.point.item.label}`, (doc, at) =>
        moveTarget(doc, held.point.item.path, at),
      );
    case "joint":
      return joint(held.role, held.from, start, stage, store);
    case "place":
      return overGround(held.place.at, start, stage, `move ${held.place.label}`, (doc, to, isAlone) =>
        placeOps(store, held.place, isAlone, movePlace(doc, held.place, to), (plan, items) =>
          moveWith(doc, plan, held.place, to, items),
        ),
      );
    case "way":
      return overGround(held.at, start, stage, "move a point of the way", (doc, to) =>
        put(doc, held.path, to.map(rounded)),
      );
    case "solid":
      return overGround(held.solid.at, start, stage, `move ${held.solid.label}`, (doc, to) =>
        moveSolid(doc, held.solid, to),
      );
  }
}

type Ground = [number, number];
type Space = [number, number, number];

function overGround(
  from: Ground, start: MouseEvent, stage: Stage, label: string,
  ops: (doc: ShotDocument, to: Ground, isAlone: boolean) => Op[],
): Pull {
  const first = stage.picker.level(start.clientX, start.clientY);
  const offset = first === null ? [0, 0] : [from[0] - first.x, from[1] - first.z];
  return {
    label,
    ops: (doc, event) => {
      const now = stage.picker.level(event.clientX, event.clientY);
      if (now === null || first === null) return [];
      return ops(doc, [now.x + (offset[0] ?? 0), now.z + (offset[1] ?? 0)], event.altKey);
    },
  };
}

const turn = (place: Place, stage: Stage, store: Store): Pull =>
  turnAround(place.at, `turn ${place.label}`, stage, (doc, angle, isAlone) =>
    placeOps(store, place, isAlone, turnPlace(doc, place, angle), (plan, items) =>
      turnWith(doc, plan, place, angle, items),
    ),
  );

/** What becomes of a place: alone, or with what is reached for from there. */
function placeOps(
  store: Store, place: Place, isAlone: boolean, alone: Op[], together: (plan: Plan, items: Item[]) => Op[],
): Op[] {
  const { plan } = store.now;
  if (isAlone || plan === null || place.who === null) return alone;
  return together(plan, store.items(place.who));
}

function turnAround(
  middle: Ground, label: string, stage: Stage,
  ops: (doc: ShotDocument, angle: number, isAlone: boolean) => Op[],
): Pull {
  return {
    label,
    ops: (doc, event) => {
      const now = stage.picker.level(event.clientX, event.clientY);
      if (now === null) return [];
      const angle = (Math.atan2(now.x - middle[0], now.z - middle[1]) * 180) / Math.PI;
      return ops(doc, event.shiftKey ? 15 * Math.round(angle / 15) : Math.round(angle), event.altKey);
    },
  };
}

/** In the plane through a point that faces the camera. */
function inScreenPlane(
  from: Vector3, start: MouseEvent, stage: Stage, label: string, ops: (doc: ShotDocument, to: Space) => Op[],
): Pull {
  const facing = stage.rig.camera.getWorldDirection(new Vector3());
  const plane = new Plane().setFromNormalAndCoplanarPoint(facing, from);
  const meet = (event: MouseEvent): Vector3 | null =>
    stage.picker.aim(event.clientX, event.clientY).ray.intersectPlane(plane, new Vector3());
  const offset = meet(start)?.sub(from).negate() ?? new Vector3();
  return {
    label,
    ops: (doc, event) => {
      const now = meet(event)?.add(offset);
      return now ? ops(doc, [now.x, Math.max(now.y, 0), now.z]) : [];
    },
  };
}

function alongAxis(way: Vector3, point: Point, start: MouseEvent, stage: Stage): Pull {
  const from = new Vector3(...point.at);
  const along = (event: MouseEvent): number => {
    const { ray } = stage.picker.aim(event.clientX, event.clientY);
    const between = from.clone().sub(ray.origin);
    const cosine = ray.direction.dot(way);
    const square = Math.max(1 - cosine * cosine, 1e-6);
    return (cosine * between.dot(ray.direction) - between.dot(way)) / square;
  };
  const first = along(start);
  return {
    label: `move ${point.item.label}`,
    ops: (doc, event) => {
      const to = from.clone().addScaledVector(way, along(event) - first);
      return moveTarget(doc, point.item.path, [to.x, Math.max(to.y, 0), to.z]);
    },
  };
}

/** A hand or foot on the frame that is shown: a key there, or a new one. */
function joint(role: string, from: Vector3, start: MouseEvent, stage: Stage, store: Store): Pull | null {
  const { who, plan, frame, characters } = store.now;
  if (who === null || plan === null) return null;
  const items = store.items(who);
  const time = frame / store.fps;
  const called = role === "head" ? "gaze" : role;
  return inScreenPlane(from, start, stage, `move ${spoken(called)}`, (doc, at) =>
    reachTo(doc, plan, who, called, time, at, items, characters[who]),
  );
}
