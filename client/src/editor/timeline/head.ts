/** The row above the lanes: whose they are, zoom, what is added, the style that is painted. */

import { button, make } from "../shell/dom";
import type { Store } from "../store";
import { type AddTools, makeAddMenu } from "./adding";

export interface Head {
  element: HTMLElement;
  /** The style that is painted. */
  style: () => string;
}

export interface HeadTools extends AddTools {
  zoom: (factor: number) => void;
  fit: () => void;
}

const NO_STYLES =
  "Styles are labels of clips. Write labels.yaml beside the shot (labels: [{clips: run_3, label: run}]) " +
  "and name it in the cast (anna: {labels: labels.yaml}); then choose one here and paint it on the Style lane.";

export function makeHead(tools: HeadTools): Head {
  const { store } = tools;
  const who = make("div", { class: "who", role: "tablist", "aria-label": "Characters" });
  const add = makeAddMenu(tools);
  const style = make("select", { "aria-label": "Style that is painted on the style lane" });
  const brush = make("label", { class: "brush" }, "Paint ", style);
  const hint = make("span", { class: "quiet paint-hint", title: NO_STYLES }, "no styles to paint");
  store.on(["library"], ({ library }) => {
    const names = library?.styles ?? [];
    style.replaceChildren(...names.map((one) => make("option", { value: one }, one)));
    brush.hidden = names.length === 0;
    hint.hidden = library === null || names.length > 0;
  });
  store.on(["plan", "who", "characters"], (state) => {
    const names = Object.keys(state.plan?.tracks ?? {});
    who.replaceChildren(...names.map((name) => tabOf(store, name, state.who === name)));
  });
  const zoomOut = button("−", () => { tools.zoom(1 / 1.4); }, { "aria-label": "Zoom out" });
  const zoomIn = button("+", () => { tools.zoom(1.4); }, { "aria-label": "Zoom in" });
  const fit = button("Fit", () => { tools.fit(); }, { "aria-label": "Show the whole shot" });
  const space = make("span", { class: "space" });
  const element = make("div", { class: "tl-head" }, who, add, brush, hint, space, zoomOut, zoomIn, fit);
  return { element, style: () => style.value };
}

function tabOf(store: Store, name: string, isOpen: boolean): HTMLElement {
  const dot = make("span", { class: "dot", "aria-hidden": true });
  dot.style.background = store.now.characters[name]?.color ?? "";
  const tab = button("", () => { store.set({ who: name }); }, {
    ...{ role: "tab", "aria-selected": String(isOpen), class: "who-tab", tabindex: 0 },
  });
  tab.append(dot, name);
  return tab;
}
