/** The sheet of keys. */

import { SHEET } from "../keyboard";
import { button, make } from "./dom";

export interface Sheet {
  element: HTMLDialogElement;
  toggle: () => void;
}

export function makeHelp(): Sheet {
  const rows = SHEET.map(([key, what]) =>
    make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, what)),
  );
  const element = make("dialog", { class: "keysheet", "aria-label": "Keys" });
  const close = button("Close", () => { element.close(); });
  const mouse = make(
    "p",
    {},
    "Drag rings over the ground, their knob turns them, and hand keys that are reached from there come along; drag the yellow balls on hands, feet and " +
      "head on any frame; click on the ground for a checkpoint; drag entries of the timeline, or their ends.",
  );
  element.append(make("h2", {}, "Keys and mouse"), mouse, make("table", {}, ...rows), close);
  return {
    element,
    toggle: () => {
      if (element.open) element.close();
      else element.showModal();
    },
  };
}
