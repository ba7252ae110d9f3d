/** What stands above the scene: title, facts, and what the colours mean. */
import type { Legend, PageData } from "./data";
import { make } from "./dom";

function inks(legend: readonly Legend[]): HTMLElement[] {
  return legend.map(({ text, color }) => {
    const mark = make("i", { class: "ink" });
    mark.style.background = color;
    return make("span", { class: "named-ink" }, mark, text);
  });
}

export function makeHeader(data: PageData): HTMLElement {
  const legend = make("p", { class: "legend" }, ...inks(data.legend));
  const header = make("header", {}, make("h1", {}, data.title), make("p", {}, data.facts), legend);
  if (data.ramp.length > 0) {
    header.append(make("p", { class: "legend" }, data.meaning, ...inks(data.ramp)));
  }
  return header;
}
