/** An entry of a lane as an element: a bar or a key, with a name that is read out. */

import { clock } from "../doc/times";
import type { Item } from "../doc/items";
import { make, setText } from "../shell/dom";
import { ROW } from "./lanes";
import type { Scale } from "./scale";

/** Nearer to an end of a bar than this, a drag moves that end, pixels. */
const EDGE = 7;
/** Half of a key's width, pixels. */
const HALF = 8;

export type Grip = "start" | "end" | "whole";

export function makeItem(item: Item): HTMLButtonElement {
  const text = make("span", { class: "item-text" });
  return make("button", { type: "button", class: "item", tabindex: -1, "data-id": item.id }, text);
}

/** Whether it is drawn as a bar. */
export const isBar = (item: Item): boolean =>
  item.lane === "spans" || item.lane === "layer" || item.lane === "style" || item.lane === "path";

export interface Look {
  isChosen: boolean;
  isBent: boolean;
  hasProblem: boolean;
  row: number;
}

export function showItem(element: HTMLElement, item: Item, scale: Scale, look: Look): void {
  const bar = isBar(item);
  const left = scale.x(item.start);
  const width = scale.x(item.end - item.start);
  element.className = bar ? "item bar-item" : "item key-item";
  element.style.left = `${String(bar ? left : left - HALF)}px`;
  element.style.width = `${String(bar ? Math.max(width, 6) : width + 2 * HALF)}px`;
  element.style.top = `${String(look.row * ROW)}px`;
  element.dataset["kind"] = item.kind;
  element.dataset["lane"] = item.lane;
  element.toggleAttribute("data-bent", look.isBent);
  element.toggleAttribute("data-problem", look.hasProblem);
  element.setAttribute("aria-pressed", String(look.isChosen));
  const spoken = describe(item, look);
  element.setAttribute("aria-label", spoken);
  element.title = spoken;
  setText(element.firstElementChild as Element, textOf(item));
}

const textOf = (item: Item): string =>
  item.lane === "spans" && item.label !== item.kind && !item.label.startsWith(item.kind)
    ? `${item.label} · ${item.kind}`
    : item.label;

function describe(item: Item, look: Look): string {
  const kind = item.label === item.kind ? "" : `${item.kind.replaceAll("_", " ")} `;
  const until = item.end > item.start ? ` to ${clock(item.end)}` : "";
  const more = [look.isBent ? "not confirmed yet" : "", look.hasProblem ? "has a problem" : ""];
  return [`${kind}${item.label}, ${clock(item.start)}${until}`, ...more].filter(Boolean).join(", ");
}

/** What of an entry is taken hold of at a place within it, pixels. */
export function gripAt(item: Item, x: number, width: number): Grip {
  if (item.kind === "reach" || item.lane === "path") return "whole";
  if (!isBar(item)) return "whole";
  const edge = Math.min(EDGE, width / 4);
  if (x < edge) return "start";
  return x > width - edge ? "end" : "whole";
}
