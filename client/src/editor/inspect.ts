/** What is in the view and where, for tests and for whoever looks in with the browser's tools. */

import { Vector3 } from "three";
import type { Playback } from "../playback";
import type { Stage } from "../scene";
import { handlesOf, turnAt } from "./handles/drawn";
import { DRAGGED, type JointHandles } from "./handles/joints";
import type { Store } from "./store";

export interface Seen {
  id: string;
  x: number;
  y: number;
}

export interface Inspection {
  /** Handles and where they are in the window, pixels. */
  handles: () => Seen[];
  /** Where a place on the ground is in the window. */
  ground: (x: number, z: number) => Seen;
  /** Where a character's joint is, metres. */
  joint: (who: string, role: string) => number[] | null;
  state: () => unknown;
  seek: (frame: number) => void;
}

/** Whether everything that was told is in the file. */
function kept(store: Store): boolean {
  const { shot, isDragging, connection } = store.now;
  if (shot === null || isDragging || connection !== "open") return false;
  return shot.saved && !shot.transient && shot.doc === store.now.doc;
}

export function inspect(
  store: Store, stage: Stage, joints: JointHandles, playback: Playback,
): Inspection {
  const seen = (id: string, at: Vector3): Seen => {
    const box = stage.canvas.getBoundingClientRect();
    const place = stage.picker.project(at);
    return { id, x: box.left + place.x, y: box.top + place.y };
  };
  const handles = (): Seen[] => {
    const { places, points, ways, solids } = handlesOf(store);
    const ground = (at: [number, number]): Vector3 => new Vector3(at[0], 0, at[1]);
    const chosen = [...places.values()].filter((place) => place.id === store.now.chosen);
    const balls = DRAGGED.map((role) => [role, joints.place(role)] as const);
    return [
      ...[...places].map(([id, one]) => seen(id, ground(one.at))),
      ...chosen.map((one) => seen("turn", new Vector3(...turnAt(one)))),
      ...[...points].map(([id, one]) => seen(id, new Vector3(...one.at))),
      ...[...ways].map(([id, one]) => seen(id, ground(one.at))),
      ...[...solids].map(([id, one]) => seen(id, ground(one.at))),
      ...joints.tips.map(([name, at]) => seen(`axis/${name}`, at)),
      ...balls.flatMap(([role, at]) => (at === null ? [] : [seen(role, at)])),
    ];
  };
  return {
    handles,
    ground: (x, z) => seen("ground", new Vector3(x, 0, z)),
    joint: (who, role) => {
      const figure = stage.figures.get(who);
      const joint = figure?.character.roles[role];
      return figure === undefined || joint === undefined ? null : figure.jointAt(joint).toArray();
    },
    seek: (frame) => { playback.seek(frame); },
    state: () => {
      const { doc, plan, shot, bent, solver, connection, frame, isPlaying, chosen, who } = store.now;
      const isSaved = kept(store);
      const isSettled = isSaved && shot?.rev === store.now.idleRev;
      const { rev, saved, can_undo: canUndo, can_redo: canRedo } = shot ?? {};
      return {
        ...{ doc, plan, rev, saved, canUndo, canRedo, solver, connection, frame, isPlaying },
        ...{ chosen, who, isSaved, isSettled, bent: [...bent] },
      };
    },
  };
}
