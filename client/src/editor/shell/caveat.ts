/** Over the view, where what is shown is not what is written. */

import { make, setText } from "./dom";
import { caveatOf } from "./status";
import type { Store } from "../store";

export function makeCaveat(store: Store): HTMLElement {
  const element = make("p", { class: "caveat", role: "note", hidden: true });
  store.on(["shot", "shownAs", "plan", "isDragging", "frame", "made", "making", "who"], (state) => {
    const text = caveatOf(state);
    setText(element, text);
    const kind = (state.shot?.problems.length ?? 0) > 0 ? "bad" : "early";
    if (element.dataset["state"] !== kind) element.dataset["state"] = kind;
    if (element.hidden !== (text === "")) element.hidden = text === "";
  });
  return element;
}
