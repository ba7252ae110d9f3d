/** Panels beside the view, one shown at a time. */

import { button, make } from "../shell/dom";
import type { State, Store } from "../store";

type Tab = State["tab"];

const LABELS: [Tab, string][] = [
  ["span", "Span"],
  ["report", "Report"],
  ["library", "Library"],
  ["shot", "Shot"],
  ["export", "Export"],
];

export function fillPanel(root: HTMLElement, store: Store, panels: Record<Tab, HTMLElement>): void {
  const tabs = LABELS.map(([name, text]) =>
    button(text, () => { store.set({ tab: name }); }, {
      ...{ role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` },
    }),
  );
  const bar = make("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...tabs);
  bar.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const place = LABELS.findIndex(([name]) => name === store.now.tab);
    const next = (place + way + LABELS.length) % LABELS.length;
    store.set({ tab: (LABELS[next] as [Tab, string])[0] });
    tabs[next]?.focus();
  });
  for (const [name] of LABELS) {
    const panel = panels[name];
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
  }
  root.append(bar, ...LABELS.map(([name]) => panels[name]));
  store.on(["tab"], ({ tab }) => {
    LABELS.forEach(([name], i) => {
      panels[name].hidden = name !== tab;
      tabs[i]?.setAttribute("aria-selected", String(name === tab));
      if (tabs[i]) tabs[i].tabIndex = name === tab ? 0 : -1;
    });
  });
}
