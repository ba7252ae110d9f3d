/** The studio's page: a bar on top, view and panel, the timeline below. */

import { follow, make } from "./dom";

export interface Layout {
  root: HTMLElement;
  bar: HTMLElement;
  view: HTMLElement;
  tools: HTMLElement;
  panel: HTMLElement;
  timeline: HTMLElement;
  /** What is said to readers of the page. */
  said: HTMLElement;
  notices: HTMLElement;
}

/** Least and most height of the timeline, pixels, and by how much a key changes it. */
const LEAST = 96;
const STEP = 24;

export function makeLayout(app: HTMLElement): Layout {
  const bar = make("header", { class: "bar" });
  const tools = make("div", { class: "tools", role: "toolbar", "aria-label": "Tools of the view" });
  const view = make("section", { class: "view", "aria-label": "View" }, tools);
  const panel = make("aside", { class: "panel", "aria-label": "Panel" });
  const timeline = make("section", { class: "timeline", "aria-label": "Timeline" });
  const said = make("div", { class: "said", role: "status", "aria-live": "polite" });
  const notices = make("div", { class: "notices", role: "alert" });
  const root = make("div", { class: "studio" });
  const split = splitter(root, timeline);
  root.append(bar, view, panel, split, timeline, notices, said);
  app.replaceChildren(root);
  return { root, bar, view, tools, panel, timeline, said, notices };
}

/** A bar that makes the timeline higher or lower, by pointer or keys. */
function splitter(root: HTMLElement, timeline: HTMLElement): HTMLElement {
  const bar = make("div", {
    ...{ class: "splitter", role: "separator", tabindex: 0, "aria-orientation": "horizontal" },
    "aria-label": "Height of the timeline",
  });
  const resize = (height: number): void => {
    const most = Math.max(LEAST, root.clientHeight - 180);
    const kept = Math.min(Math.max(height, LEAST), most);
    root.style.setProperty("--timeline", `${String(Math.round(kept))}px`);
    bar.setAttribute("aria-valuenow", String(Math.round(kept)));
    window.dispatchEvent(new Event("resize"));
  };
  bar.addEventListener("pointerdown", (event) => {
    const before = timeline.clientHeight;
    follow(
      event,
      (moved) => {
        resize(before + event.clientY - moved.clientY);
      },
      () => undefined,
    );
  });
  bar.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(timeline.clientHeight + way * STEP);
  });
  return bar;
}
