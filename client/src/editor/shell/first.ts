/** Three things to try, for who is here for the first time; ticked off, and then out of the way. */

import type { State, Store } from "../store";
import { button, make } from "./dom";
import { triedCookie, wasTried } from "./tried";

/** The card leaves by itself when all is done, milliseconds. */
const LEAVES = 2500;

type Step = "ring" | "hand" | "live";
const STEPS: [Step, string][] = [
  ["ring", "Drag a ring on the ground: the walk follows."],
  ["hand", "Pause (Space), then drag the yellow ball on a hand."],
  ["live", "Click a waiting span below and slide its liveliness, or choose a speed for a gait."],
];

export function makeFirstVisit(store: Store): HTMLElement {
  const card = make("aside", { class: "first", "aria-label": "Three things to try", hidden: true });
  const items = new Map<Step, HTMLElement>();
  for (const [step, text] of STEPS) {
    items.set(step, make("li", {}, make("span", { class: "mark-done", "aria-hidden": true }, "○"), text));
  }
  const close = button("Dismiss", () => { leave(card, store); });
  card.append(make("h2", {}, "Three things to try"), make("ol", {}, ...items.values()), close);
  store.on(["plan", "welcome"], ({ plan, welcome }) => {
    if (plan !== null && welcome !== null) card.hidden = wasTried(document.cookie, welcome.file);
  });
  const done = new Set<Step>();
  store.on(["shot"], (state, before) => {
    const step = state.shot === before.shot || before.shot === null ? null : stepOf(state);
    if (step === null || done.has(step)) return;
    done.add(step);
    const item = items.get(step);
    item?.classList.add("done");
    item?.querySelector(".mark-done")?.replaceChildren("✓");
    if (done.size === STEPS.length) setTimeout(() => { leave(card, store); }, LEAVES);
  });
  return card;
}

/** What the last edit was, by its label. */
export function stepOf(state: State): Step | null {
  const { shot } = state;
  const label = shot?.transient === false && shot.can_undo ? (shot.undo_label ?? "") : "";
  if (/(hand|foot|gaze)/.test(label)) return "hand";
  if (/^change (liveliness|speed)/.test(label)) return "live";
  return /^(move(?! the (start|end) of)|turn) /.test(label) ? "ring" : null;
}

function leave(card: HTMLElement, { now }: Store): void {
  card.hidden = true;
  document.cookie = triedCookie(document.cookie, now.welcome?.file ?? "");
}
