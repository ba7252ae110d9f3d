/** F6 goes from the view to the panel, the timeline and the bar, as in other programs; Shift+F6 back. */

import type { Layout } from "./layout";

/** The region that a key leads to; from outside of all, the first or last. */
export const nextRegion = (now: number, way: 1 | -1, count: number): number =>
  now < 0 ? (way > 0 ? 0 : count - 1) : (now + way + count) % count;

/** What takes the keyboard in each region, the best first. */
const FIRST = [
  ["canvas"],
  ['[role="tab"][aria-selected="true"]'],
  ['.item[tabindex="0"]', "button"],
  ["button:enabled"],
];

export function listenToRegions({ view, panel, timeline, bar }: Layout): void {
  const regions = [view, panel, timeline, bar];
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const now = regions.findIndex((one) => one.contains(document.activeElement));
    const next = nextRegion(now, event.shiftKey ? -1 : 1, regions.length);
    const found = FIRST[next]?.map((what) => regions[next]?.querySelector<HTMLElement>(what));
    found?.find((one) => one)?.focus();
  });
}
