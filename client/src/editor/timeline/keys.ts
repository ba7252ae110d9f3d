/** Keys on entries of the timeline: going from one to the next, moving, taking out, opening. */

import { moveItem, moveItemEdge, removeItem } from "../doc/changes";
import type { Item } from "../doc/items";
import type { Editing } from "../editing";
import type { Store } from "../store";
import type { Lane } from "./lanes";

export interface KeyTools {
  store: Store;
  editing: Editing;
  lanes: () => Lane[];
  focus: (item: Item) => void;
  open: (item: Item) => void;
}

const NUDGE: Record<string, number> = { ",": -1, ".": 1, "<": -10, ">": 10 };

/** Act on a key that was pressed on an entry; whether it was one of these. */
export function itemKey(event: KeyboardEvent, item: Item, tools: KeyTools): boolean {
  const { store, editing } = tools;
  const { plan, doc } = store.now;
  if (plan === null) return false;
  const frames = nudgeOf(event);
  if (frames !== null) {
    const by = frames / plan.fps;
    const ops = event.altKey
      ? moveItemEdge(doc, plan, item, "end", by)
      : moveItem(doc, plan, item, by);
    editing.commit(ops, `move ${item.label}`);
    return true;
  }
  if (event.key === "Delete" || event.key === "Backspace") {
    editing.commit(removeItem(doc, plan, item), `delete ${item.label}`);
    return true;
  }
  if (event.key === "Enter" || event.key === "F2") {
    tools.open(item);
    return true;
  }
  if (event.altKey) return false; // places of the view are moved
  const next = neighbour(event.key, item, tools.lanes());
  if (next === null) return false;
  tools.focus(next);
  return true;
}

/** Frames by which a key moves an entry. */
function nudgeOf(event: KeyboardEvent): number | null {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (way !== undefined && (event.ctrlKey || event.metaKey)) return way * (event.shiftKey ? 10 : 1);
  return NUDGE[event.key] ?? null;
}

/** The entry that an arrow leads to: along the lane, or to the nearest of another lane. */
export function neighbour(key: string, item: Item, lanes: Lane[]): Item | null {
  const filled = lanes.filter((lane) => lane.items.length > 0);
  const row = filled.findIndex((lane) => lane.items.some((one) => one.id === item.id));
  const items = filled[row]?.items ?? [];
  const place = items.findIndex((one) => one.id === item.id);
  if (key === "ArrowLeft") return items[place - 1] ?? null;
  if (key === "ArrowRight") return items[place + 1] ?? null;
  const way = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (way === undefined) return null;
  const far = (one: Item): number => Math.abs(one.start - item.start);
  const others = filled[row + way]?.items ?? [];
  return others.reduce<Item | null>(
    (best, one) => (best === null || far(one) < far(best) ? one : best),
    null,
  );
}
