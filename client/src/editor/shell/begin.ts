/** A new shot: a few questions, and it takes the place of what is there; undo brings that back. */

import type { ClientMessage } from "../../net/messages";
import type { Store } from "../store";
import { button, make } from "./dom";

const NAME = "[A-Za-z][A-Za-z0-9_\\-]{0,63}";

export interface Begin {
  element: HTMLDialogElement;
  open: () => void;
}

export function makeBegin(store: Store, send: (message: ClientMessage) => boolean): Begin {
  const who = make("input", { id: "new-who", type: "text", required: true, pattern: NAME, value: "anna" });
  const other = make("input", { id: "new-other", type: "text", pattern: NAME, placeholder: "nobody" });
  const clips = make("input", { id: "new-clips", type: "text", required: true, spellcheck: "false" });
  const element = make("dialog", { class: "keysheet begin", "aria-labelledby": "new-title" });
  const form = make(
    "form",
    { method: "dialog" },
    make("h2", { id: "new-title" }, "A new shot"),
    question(who, "Who is in it?", "Alone, they walk to a door, wait, reach and go back."),
    question(other, "Who else?", "Two come to each other and shake hands."),
    question(clips, "Clips", "A folder or library beside the shot file."),
    make("p", { class: "quiet" }, "It takes the place of this shot; undo brings that back."),
    make("div", { class: "buttons" }, make("button", { type: "submit" }, "Begin"), button("Cancel", () => { element.close(); })),
  );
  form.addEventListener("submit", () => {
    const names = [who.value, other.value].map((one) => one.trim()).filter((one) => one !== "");
    send({ type: "new", names, library: clips.value.trim() });
  });
  element.append(form);
  return {
    element,
    open: () => {
      clips.value = store.now.doc.library ?? "clips";
      element.showModal();
      who.select();
    },
  };
}

function question(input: HTMLInputElement, text: string, what: string): HTMLElement {
  const label = make("label", { for: input.id }, text);
  const value = make("span", { class: "value" }, input, make("span", { class: "quiet" }, what));
  return make("div", { class: "field" }, label, value);
}
