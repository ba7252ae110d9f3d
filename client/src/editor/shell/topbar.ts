/** The bar on top: file, saved or not, undo and redo, what the search does, playing, help. */

import type { Playback } from "../../playback";
import type { Editing } from "../editing";
import type { State, Store } from "../store";
import { clock } from "../doc/times";
import { button, make, setText } from "./dom";
import { statusOf } from "./status";

export interface BarActions {
  panel(): void;
  help(): void;
  tab(name: State["tab"]): void;
  solve(): void;
  /** Go to what is wrong with the shot. */
  problem(): void;
}

export function fillBar(
  bar: HTMLElement, store: Store, editing: Editing, playback: Playback, actions: BarActions,
): void {
  const file = make("strong", { class: "file" });
  const saved = make("span", { class: "saved" });
  const undo = button("Undo", () => { editing.undo(); }, { title: "Ctrl+Z" });
  const redo = button("Redo", () => { editing.redo(); }, { title: "Ctrl+Shift+Z or Ctrl+Y" });
  const play = button("Play", () => { playback.toggle(); }, { class: "play", title: "Space" });
  const time = make("span", { class: "time" });
  const status = makeStatus(store, actions);
  const render = button("Finish", () => { actions.solve(); }, {
    title: "Make the shot as the command line does, with the whole search",
  });
  const out = button("Export", () => { actions.tab("export"); });
  const help = button("?", () => { actions.help(); }, { "aria-label": "Help", title: "Keys: ?" });
  const panel = button("Panel", () => { actions.panel(); }, { class: "to-panel" });
  const name = make("span", { class: "name" }, file, saved);
  bar.append(name, undo, redo, play, time, status, render, out, panel, help);

  store.onCalm(["shot", "welcome", "connection", "isDragging"], (state) => {
    setText(file, state.welcome?.file ?? "motionloom studio");
    const { shot } = state;
    setText(saved, savedText(state));
    saved.dataset["state"] = state.connection === "open" && shot?.saved ? "yes" : "no";
    label(undo, "Undo", shot?.can_undo, shot?.undo_label);
    label(redo, "Redo", shot?.can_redo, shot?.redo_label);
  });
  store.on(["frame", "plan", "isPlaying"], (state) => {
    setText(play, state.isPlaying ? "Pause" : "Play");
    setText(time, `${clock(state.frame / store.fps)} / ${clock(store.duration)}`);
  });
}

function label(element: HTMLButtonElement, verb: string, can?: boolean, what?: string): void {
  element.disabled = can !== true;
  setText(element, can && what ? `${verb} ${what}` : verb);
}

function savedText(state: State): string {
  if (state.connection === "lost") return "connection lost, trying again";
  if (state.connection === "connecting") return "connecting";
  if (state.welcome?.reader) return `read only: another ${state.welcome.writer ?? "window"} writes`;
  if (state.shot === null) return "loading";
  return state.shot.saved ? "saved" : "saving";
}

/** One word about the shot, and how far it is; red with the sentence where something is wrong. */
function makeStatus(store: Store, actions: BarActions): HTMLElement {
  const text = make("span", { class: "status-text" });
  const bar = make("progress", { max: 1, "aria-label": "How far the shot is" });
  const element = button("", () => { actions.problem(); }, { class: "search" });
  element.append(text, bar);
  store.onCalm(
    ["making", "isExporting", "solver", "shot", "plan", "idleRev", "shownRev", "connection"],
    (state) => {
      const status = statusOf(state);
      setText(text, status.text);
      if (element.title !== status.title) element.title = status.title;
      element.dataset["state"] = state.connection === "lost" ? "bad" : status.kind;
      bar.hidden = status.share === null;
      bar.value = status.share ?? 0;
    },
  );
  const live = make("span", { class: "status-box", role: "status" }, element);
  return live;
}
