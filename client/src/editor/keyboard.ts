/** Keys of the whole page; fields that somebody types in keep theirs. */

import type { Playback } from "../playback";
import { removeItem } from "./doc/changes";
import { take } from "./doc/ops";
import { chosenSolid } from "./panels/solid";
import type { Editing } from "./editing";
import { nudge } from "./handles/nudge";
import type { Stage } from "../scene";
import { isTyping } from "./shell/dom";
import type { Store } from "./store";

export interface KeyActions {
  store: Store;
  editing: Editing;
  playback: Playback;
  stage: Stage;
  follow: () => void;
  ghost: () => void;
  help: () => void;
  /** Close what lies over the page; whether something did. */
  close: () => boolean;
}

/** Keys and what they do, as the sheet of help tells it. */
export const SHEET: [string, string][] = [
  ["Space", "play or pause"],
  ["J  K  L", "backwards, stop, onwards; again: twice as fast"],
  ["← →", "a frame back or on; with Shift a second"],
  ["Home  End", "first or last frame"],
  ["Esc", "leave a drag, close what is open, choose nothing"],
  ["Ctrl+Z", "undo; Ctrl+Shift+Z or Ctrl+Y redo"],
  ["Delete", "delete what is chosen"],
  ["F", "follow the character"],
  ["G", "keep the motion as it is now as a ghost"],
  ["?", "this sheet"],
  ["F6", "to the view, the panel, the timeline, the bar; with Shift back"],
  ["In the timeline", "arrows go from entry to entry, Enter opens its fields"],
  [", and .", "move the entry a frame (< and > ten; with Alt its end)"],
  ["Alt+arrows", "move a chosen place or point in the view; Alt+Page up and down its height"],
  ["[ and ]", "turn a chosen place"],
  ["In the view", "Enter shows a cursor on the ground; arrows move it (with Shift farther), Enter places what the tool says there"],
  ["Alt while dragging", "move a ring without the hand keys that are reached from it"],
];

export function listenToKeys(actions: KeyActions): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isOverPage()) return;
    if (event.key === "Escape") escape(actions, event);
    else if (!undoKey(actions, event) && !belongsElsewhere(event)) pageKey(actions, event);
  });
}

/** Whether something lies over the page that has all keys; Esc closes it and no more. */
const isOverPage = (): boolean => document.querySelector("dialog[open]") !== null;

function pageKey(actions: KeyActions, event: KeyboardEvent): void {
  const isDone = nudge(actions.store, actions.editing, actions.stage, event) || plainKey(actions, event);
  if (isDone) event.preventDefault();
}

/** Keys that fields take, and those by which buttons are pressed. */
function belongsElsewhere({ target, key }: KeyboardEvent): boolean {
  if (isTyping(target)) return true;
  const isPressed = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
  return isPressed && !isItem(target) && (key === " " || key === "Enter");
}

const isItem = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.classList.contains("item");

function escape({ store, editing, close }: KeyActions, event: KeyboardEvent): void {
  if (editing.stop() || close()) {
    event.preventDefault();
    return;
  }
  if (isTyping(event.target)) (event.target as HTMLElement).blur();
  else store.set({ chosen: null, tool: "place" });
}

/** Undo and redo go through text fields only where these have nothing to undo: the page's win. */
function undoKey({ editing }: KeyActions, event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || isTyping(event.target)) return false;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return false;
  event.preventDefault();
  if (key === "y" || event.shiftKey) editing.redo();
  else editing.undo();
  return true;
}

type Act = (actions: KeyActions, event: KeyboardEvent) => void;

const PLAIN: Record<string, Act> = {
  " ": ({ playback }) => {
    playback.speed = 1;
    playback.toggle();
  },
  j: ({ playback }) => { shuttle(playback, -1); },
  k: ({ playback }) => { playback.pause(); },
  l: ({ playback }) => { shuttle(playback, 1); },
  ArrowLeft: ({ playback }, event) => { playback.step(event.shiftKey ? -Math.round(playback.fps) : -1); },
  ArrowRight: ({ playback }, event) => { playback.step(event.shiftKey ? Math.round(playback.fps) : 1); },
  Home: ({ playback }) => { playback.seek(0); },
  End: ({ playback }) => { playback.seek(playback.total - 1); },
  Delete: erase,
  Backspace: erase,
  f: ({ follow }) => { follow(); },
  g: ({ ghost }) => { ghost(); },
  "?": ({ help }) => { help(); },
};

function plainKey(actions: KeyActions, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const act = PLAIN[event.key] ?? PLAIN[event.key.toLowerCase()];
  act?.(actions, event);
  return act !== undefined;
}

/** Play a way; twice as fast where it plays that way already. */
export function shuttle(playback: Playback, way: 1 | -1): void {
  const onward = playback.playing && Math.sign(playback.speed) === way;
  playback.setSpeed(onward ? Math.max(-8, Math.min(8, playback.speed * 2)) : way);
  playback.play();
}

function erase({ store, editing }: KeyActions): void {
  const item = store.chosenItem;
  const { doc, plan } = store.now;
  const solid = item === null ? chosenSolid({ store, editing }) : null;
  if (solid !== null && editing.commit(take(doc, solid.path), `delete ${solid.label}`)) store.set({ chosen: null });
  if (item === null || plan === null) return;
  editing.commit(removeItem(doc, plan, item), `delete ${item.label}`);
}
