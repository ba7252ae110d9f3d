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

export function makeHead(tools: HeadTools): Head {
  const { store } = tools;
  const who = make("div", { class: "who", role: "tablist", "aria-label": "Characters" });
  const add = makeAddMenu(tools);
  const style = make("select", { "aria-label": "Style that is painted on the style lane" });
  store.on(["library"], ({ library }) => {
    const styles = library?.styles ?? [];
    const names = styles.length > 0 ? styles : [""];
    style.replaceChildren(
      ...names.map((one) => make("option", { value: one }, one || "no styles")),
    );
    style.disabled = styles.length === 0;
    style.title = style.disabled ? "The clips have no labels; name a labels file in the cast" : "";
  });
  store.on(["plan", "who", "characters"], (state) => {
    const names = Object.keys(state.plan?.tracks ?? {});
    who.replaceChildren(...names.map((name) => tabOf(store, name, state.who === name)));
  });
  const zoomOut = button("−", () => { tools.zoom(1 / 1.4); }, { "aria-label": "Zoom out" });
  const zoomIn = button("+", () => { tools.zoom(1.4); }, { "aria-label": "Zoom in" });
  const fit = button("Fit", () => { tools.fit(); }, { "aria-label": "Show the whole shot" });
  const space = make("span", { class: "space" });
  const brush = make("label", { class: "brush" }, "Paint ", style);
  const element = make("div", { class: "tl-head" }, who, add, brush, space, zoomOut, zoomIn, fit);
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
