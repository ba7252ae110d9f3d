/** Entries of lanes dragged by a pointer: their ends, themselves, their order; styles painted. */

import { moveItem, moveItemEdge, paintStyle } from "../doc/changes";
import { idOf, type Item } from "../doc/items";
import { reorder, trackPath } from "../doc/spans";
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
  /** Choose what has an id once it is there. */
  chooseId: (id: string) => void;
  /** Give the keyboard to what is chosen. */
  focusChosen: () => void;
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
  const spans = store.items(item.who).filter((one) => one.lane === "spans");
  const moveBy = (moved: PointerEvent): number =>
    moveOf(item, grip, scale, moved.clientX - event.clientX, moved.altKey ? [] : times, store.fps);
  const opsAt = (moved: PointerEvent) => {
    const by = moveBy(moved);
    if (grip !== "whole") return moveItemEdge(doc, plan, item, grip, by);
    const target = movedTo(spans, item, by);
    return target === null
      ? moveItem(doc, plan, item, by)
      : reorder(doc, plan, item.who, item.span, target);
  };
  const shown = (now: PointerEvent): void => {
    const target = grip === "whole" ? movedTo(spans, item, moveBy(now)) : null;
    tools.chooseId(target === null ? item.id : idOf(trackPath(item.who, target)));
  };
  const moved = (now: PointerEvent): void => {
    if (drag === null && Math.abs(now.clientX - event.clientX) < CLICK) return;
    drag ??= editing.begin(labelOf(item, grip));
    drag?.update(opsAt(now), now.timeStamp);
    if (drag !== null && !drag.isOver) shown(now);
  };
  follow(event, moved, () => {
    if (drag?.isOver) tools.chooseId(item.id);
    drag?.finish();
    tools.focusChosen();
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

/** What is told of a drag, as undo names it. */
export const labelOf = (item: Item, grip: Grip): string =>
  grip === "whole" ? `move ${item.label}` : `move the ${grip} of ${item.label}`;

/** Where in the document's track a span goes that is dragged beyond the middle of another one. */
export function movedTo(spans: readonly Item[], item: Item, by: number): number | null {
  if (item.lane !== "spans") return null;
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
