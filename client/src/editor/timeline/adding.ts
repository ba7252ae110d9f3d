/** The menu of spans that can be added, and how one is. */

import type { Playback } from "../../playback";
import { aheadOf, lastOf, spanToAdd, type Standing, timeToAdd, withOthers } from "../doc/adding";
import { KINDS } from "../doc/kinds";
import { append } from "../doc/ops";
import type { Editing } from "../editing";
import { button, make } from "../shell/dom";
import type { Store } from "../store";

export interface AddTools {
  store: Store;
  editing: Editing;
  playback: Playback;
}

const JOINTS = ["left_hip", "right_hip", "hips", "right_hand"];

/** A button, and the kinds below it while it is pressed; only Enter, Space or a click adds. */
export function makeAddMenu(tools: AddTools): HTMLElement {
  const list = make("div", { class: "menu", role: "menu", "aria-label": "Kinds of spans", hidden: true });
  const open = button("Add span", () => { show(list.hidden !== false); }, {
    ...{ "aria-haspopup": "menu", "aria-expanded": "false" },
    title: "Add a span behind the last, or a reach at the playhead",
  });
  const element = make("div", { class: "menu-box" }, open, list);
  const show = (isShown: boolean): void => {
    list.hidden = !isShown;
    open.setAttribute("aria-expanded", String(isShown));
    if (isShown) placeAbove(list, open);
    if (isShown) (list.firstElementChild as HTMLElement).focus();
  };
  for (const [kind, facts] of Object.entries(KINDS)) {
    const entry = button(`${kind}: ${facts.what}`, () => {
      show(false);
      open.focus();
      addSpan(tools, kind);
    }, { role: "menuitem", tabindex: -1 });
    list.append(entry);
  }
  element.addEventListener("keydown", (event) => { menuKey(event, list, open, show); });
  element.addEventListener("focusout", (event) => {
    if (!list.hidden && !element.contains(event.relatedTarget as Node | null)) show(false);
  });
  return element;
}

/** Over the page, so that the timeline does not cut it off. */
function placeAbove(list: HTMLElement, open: HTMLElement): void {
  const box = open.getBoundingClientRect();
  list.style.left = `${String(box.left)}px`;
  list.style.bottom = `${String(window.innerHeight - box.top + 2)}px`;
}

function menuKey(
  event: KeyboardEvent, list: HTMLElement, open: HTMLElement, show: (isShown: boolean) => void,
): void {
  const entries = [...list.children] as HTMLElement[];
  const place = entries.indexOf(document.activeElement as HTMLElement);
  const next = nextEntry(event.key, place, entries.length);
  if (list.hidden) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    show(true);
  } else if (event.key === "Escape") {
    show(false);
    open.focus();
  } else if (next === null) return;
  else entries[next]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** The entry that a key leads to. */
export function nextEntry(key: string, place: number, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const way = { ArrowDown: 1, ArrowUp: -1 }[key];
  return way === undefined ? null : (place + way + count) % count;
}

/** Add a span where it can be, choose it, and go there. */
export function addSpan({ store, editing, playback }: AddTools, kind: string): void {
  const { who, plan, doc, library } = store.now;
  if (who === null || plan === null) return;
  const time = timeToAdd(plan, who, kind, store.now.frame / store.fps);
  const frame = kind === "reach" ? Math.round(time * plan.fps) : (lastOf(plan, who)?.last ?? 0);
  const span = spanToAdd(doc, plan, who, kind, time, library, standing(store, who, frame));
  const id = `tracks/${who}/${String(doc.tracks?.[who]?.length ?? 0)}`;
  const ops = withOthers(doc, plan, who, append(doc, ["tracks", who], span));
  if (!editing.commit(ops, `add ${kind}`)) return;
  playback.pause();
  store.set({ chosen: id, tab: "span", awaited: id });
}

function standing(store: Store, who: string, frame: number): Standing | null {
  const found = store.bodies.joints(who, JOINTS, frame);
  const [left, right, hips, hand] = found ?? [];
  if (left === undefined || right === undefined || hips === undefined || hand === undefined) return null;
  return { at: [hips[0], hips[2]], ahead: aheadOf(left, right), hand };
}
