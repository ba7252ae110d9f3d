/** Entries of lanes dragged by a pointer: their ends, themselves, their order; styles painted. */

import { moveItem, moveItemEdge, paintStyle } from "../doc/changes";
import type { Item } from "../doc/items";
import { reorder } from "../doc/spans";
import type { Drag, Editing } from "../editing";
import { follow } from "../shell/dom";
import type { Store } from "../store";
import { type Grip, gripAt } from "./item";
import type { Lane } from "./lanes";
import { type Scale, snapped } from "./scale";

/** A pointer that moved less is a click, pixels. */
export const CLICK = 3;
/** Times this near are taken hold of, pixels. */
const SNAP = 6;

export interface DragTools {
  store: Store;
  editing: Editing;
  scale: Scale;
  choose: (item: Item | null) => void;
}

/** Follow a pointer that went down on an entry. */
export function dragItem(event: PointerEvent, item: Item, tools: DragTools): void {
  if (event.button !== 0) return;
  const { store, editing, scale } = tools;
  const element = event.currentTarget as HTMLElement;
  const box = element.getBoundingClientRect();
  const grip = gripAt(item, event.clientX - box.left, box.width);
  const { plan, doc } = store.now;
  tools.choose(item);
  if (plan === null) return;
  let drag: Drag | null = null;
  const times = snapTimes(store, item);
  const opsAt = (moved: PointerEvent) => {
    const by = moveOf(item, grip, scale, moved.clientX - event.clientX, moved.altKey ? [] : times, store.fps);
    if (grip !== "whole") return moveItemEdge(doc, plan, item, grip, by);
    const target = item.lane === "spans" ? orderAt(store, item, by) : null;
    return target === null
      ? moveItem(doc, plan, item, by)
      : reorder(doc, plan, item.who, item.span, target);
  };
  const moved = (now: PointerEvent): void => {
    if (drag === null && Math.abs(now.clientX - event.clientX) < CLICK) return;
    drag ??= editing.begin(grip === "whole" ? `move ${item.label}` : `${grip} of ${item.label}`);
    drag?.update(opsAt(now), now.timeStamp);
  };
  follow(event, moved, () => {
    drag?.finish();
  });
}

function snapTimes(store: Store, item: Item): number[] {
  const others = store.items(item.who).filter((one) => one.id !== item.id);
  return [store.now.frame / store.fps, ...others.flatMap((one) => [one.start, one.end])];
}

/** Seconds by which an entry moves: whole frames, or to a time that is near. */
function moveOf(
  item: Item, grip: Grip, scale: Scale, pixels: number, times: number[], fps: number,
): number {
  const from = grip === "end" ? item.end : item.start;
  const wanted = from + scale.seconds(pixels);
  const near = snapped(wanted, times, scale.seconds(SNAP));
  return (near === wanted ? Math.round(wanted * fps) / fps : near) - from;
}

/** Where in the document's track a span goes that is dragged beyond the middle of another one. */
function orderAt(store: Store, item: Item, by: number): number | null {
  const spans = store.items(item.who).filter((one) => one.lane === "spans");
  const place = spans.findIndex((one) => one.id === item.id);
  const middle = (one: Item): number => (one.start + one.end) / 2;
  const after = spans.filter((one, i) => i > place && item.end + by > middle(one)).at(-1);
  if (by > 0 && after !== undefined) return after.span;
  const before = spans.find((one, i) => i < place && item.start + by < middle(one));
  return by < 0 && before !== undefined ? before.span : null;
}

/** Paint a style along a lane; `draw` shows what is painted until it is let go. */
export function paint(
  event: PointerEvent, lane: Lane, style: string, tools: DragTools,
  draw: (from: number, to: number) => void,
): void {
  const { store, editing, scale } = tools;
  const left = (event.currentTarget as HTMLElement).getBoundingClientRect().left;
  const timeOf = (one: PointerEvent): number => Math.max(0, scale.seconds(one.clientX - left));
  const start = timeOf(event);
  const sorted = (one: PointerEvent): [number, number] => {
    const end = timeOf(one);
    return start < end ? [start, end] : [end, start];
  };
  const moved = (one: PointerEvent): void => {
    draw(...sorted(one));
  };
  follow(event, moved, (last) => {
    const [from, to] = sorted(last);
    draw(0, 0);
    const { plan, doc } = store.now;
    if (plan === null || scale.x(to - from) < CLICK || last.type === "pointercancel") return;
    editing.commit(paintStyle(doc, plan, lane.who, style, from, to), `paint ${style}`);
  });
}
