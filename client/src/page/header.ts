/** What stands above the scene: title, facts, and what the colours mean. */
import type { Legend, PageData } from "./data";
import { make } from "./dom";

function inks(legend: readonly Legend[]): HTMLElement[] {
  return legend.map(({ text, color }) => {
    const mark = make("i", { class: "page-ink" });
    mark.style.background = color;
    return make("span", { class: "page-named-ink" }, mark, text);
  });
}

export function makeHeader(data: PageData): HTMLElement {
  const legend = make("p", { class: "page-legend" }, ...inks(data.legend));
  const header = make("header", { class: "page-header" }, make("h1", {}, data.title), make("p", {}, data.facts), legend);
  if (data.ramp.length > 0) {
    header.append(make("p", { class: "page-legend" }, data.meaning, ...inks(data.ramp)));
  }
  return header;
}
