/** What the mouse takes hold of in the view. */

import { Vector3 } from "three";
import type { Stage } from "../../scene";
import type { Place } from "../doc/places";
import type { Solid } from "../doc/solids";
import type { Path, ShotDocument } from "../doc/document";
import type { State } from "../store";
import { type Handles, type Point, solidTurnAt, turnAt } from "./drawn";
import { DRAGGED, type JointHandles } from "./joints";

export type Held =
  | { kind: "axis"; way: Vector3; from: Vector3 }
  | { kind: "turn"; place: Place }
  | { kind: "knob"; solid: Solid }
  | { kind: "point"; point: Point }
  | { kind: "joint"; role: string; from: Vector3 }
  | { kind: "place"; place: Place }
  | { kind: "way"; path: Path; at: [number, number] }
  | { kind: "solid"; solid: Solid };

/** Nearer than this on the canvas is held, pixels. */
const NEAR = 14;

export function heldAt(
  event: MouseEvent, stage: Stage, handles: Handles, joints: JointHandles,
  { doc, chosen }: Pick<State, "doc" | "chosen">,
): Held | null {
  const box = stage.canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const far = (at: Vector3): number => {
    const seen = stage.picker.project(at);
    return seen.z > 1 ? Infinity : Math.hypot(seen.x - x, seen.y - y);
  };
  const axis = joints.axisUnder(x, y);
  if (axis !== null) return { kind: "axis", way: axis, from: new Vector3() };
  return (
    turned(handles, far, chosen) ??
    knobOf(handles, far, doc, chosen) ??
    nearPoint(handles, far) ??
    nearJoint(joints, far) ??
    nearWay(handles, far) ??
    onGround(event, stage, handles)
  );
}

type Far = (at: Vector3) => number;

function turned(handles: Handles, far: Far, chosen: string | null): Held | null {
  for (const place of handles.places.values()) {
    if (place.id === chosen && far(new Vector3(...turnAt(place))) < NEAR) return { kind: "turn", place };
  }
  return null;
}

function knobOf(handles: Handles, far: Far, doc: ShotDocument, chosen: string | null): Held | null {
  for (const solid of handles.solids.values()) {
    const at = solid.path.join("/") === chosen ? solidTurnAt(doc, solid) : null;
    if (at !== null && far(new Vector3(...at)) < NEAR) return { kind: "knob", solid };
  }
  return null;
}

function nearest<T>(entries: Iterable<T>, far: (one: T) => number): T | null {
  let [best, least]: [T | null, number] = [null, NEAR];
  for (const one of entries) {
    const now = far(one);
    if (now < least) [best, least] = [one, now];
  }
  return best;
}

function nearPoint(handles: Handles, far: Far): Held | null {
  const point = nearest(handles.points.values(), (one) => far(new Vector3(...one.at)));
  return point && { kind: "point", point };
}

function nearJoint(joints: JointHandles, far: Far): Held | null {
  if (!joints.isShown) return null;
  const places = DRAGGED.map((role) => ({ role, from: joints.place(role) }));
  const found = nearest(places, ({ from }) => (from === null ? Infinity : far(from)));
  return found?.from ? { kind: "joint", role: found.role, from: found.from } : null;
}

function nearWay(handles: Handles, far: Far): Held | null {
  const way = nearest(handles.ways.values(), (one) => far(new Vector3(one.at[0], 0, one.at[1])));
  return way && { kind: "way", ...way };
}

/** A ring or a solid under the mouse. */
function onGround(event: MouseEvent, stage: Stage, handles: Handles): Held | null {
  for (const hit of stage.picker.drawables(event.clientX, event.clientY, stage.props.handles)) {
    if (hit.kind !== "drawable") continue;
    const place = handles.places.get(hit.id);
    if (place !== undefined) return { kind: "place", place };
    const solid = handles.solids.get(hit.id);
    if (solid !== undefined) return { kind: "solid", solid };
  }
  return null;
}
