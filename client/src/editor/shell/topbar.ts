/** The bar on top: file, saved or not, undo and redo, what the search does, playing, help. */

import type { Playback } from "../../playback";
import type { Editing } from "../editing";
import type { State, Store } from "../store";
import { clock } from "../doc/times";
import { button, make, setText } from "./dom";

export interface BarActions {
  panel(): void;
  help(): void;
  tab(name: State["tab"]): void;
  solve(): void;
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
  const search = make("span", { class: "search", role: "status" });
  const render = button("Finish", () => { actions.solve(); }, {
    title: "Make the shot as the command line does, with the whole search",
  });
  const out = button("Export", () => { actions.tab("export"); });
  const help = button("?", () => { actions.help(); }, { "aria-label": "Help", title: "Keys: ?" });
  const panel = button("Panel", () => { actions.panel(); }, { class: "to-panel" });
  const name = make("span", { class: "name" }, file, saved);
  const space = make("span", { class: "space" });
  bar.append(name, undo, redo, play, time, space, search, render, out, panel, help);

  store.onCalm(["shot", "welcome", "connection", "isDragging"], (state) => {
    setText(file, state.welcome?.file ?? "motionloom studio");
    const { shot } = state;
    setText(saved, savedText(state));
    saved.dataset["state"] = state.connection === "open" && shot?.saved ? "yes" : "no";
    label(undo, "Undo", shot?.can_undo, shot?.undo_label);
    label(redo, "Redo", shot?.can_redo, shot?.redo_label);
  });
  store.onCalm(["progress", "solver", "bent", "connection", "plan", "welcome"], (state) => {
    setText(search, searchText(state));
    search.dataset["state"] = searchKind(state);
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

function searchKind(state: State): string {
  if (state.connection === "lost" || state.solver?.state === "crashed") return "bad";
  if (state.progress !== null) return "busy";
  return state.bent.size > 0 ? "bent" : "good";
}

/** What the search does, in a few words. */
export function searchText(state: State): string {
  if (state.welcome?.reader && state.welcome.writer === "studio") return "made by the other studio";
  const told = solverText(state.solver);
  if (told !== null) return told;
  if (state.progress !== null) return progressText(state.progress);
  if (state.plan === null) return "";
  return state.bent.size > 0 ? "bent to your wish; searching for better" : "settled";
}

/** What is to be said of the process that makes motions, where it does not. */
function solverText(solver: State["solver"]): string | null {
  if (solver?.state === "crashed") return solver.message || "solver crashed, starting it again";
  return solver?.state === "starting" ? solver.message || "loading what makes motions" : null;
}

function progressText(progress: NonNullable<State["progress"]>): string {
  const { stage, who, done, total } = progress;
  const share = total > 0 ? ` ${String(Math.round((100 * done) / total))} %` : "";
  return `${stage}${who ? ` ${who}` : ""}${share}`;
}
