/** What went wrong, said once, with what to do. */

import type { Problem } from "../../net/messages";
import type { Store } from "../store";
import { button, make } from "./dom";

/** How long one of something that went well stays, milliseconds, and how many are shown; what is wrong stays. */
const STAYS = 7000;
/** A letter more takes so long to read, milliseconds. */
const TO_READ = 60;
const MOST = 3;

export function notify(store: Store, problem: Problem): void {
  const notices = [...store.now.notices.filter((one) => one.message !== problem.message), problem];
  store.set({ notices: notices.slice(-MOST) });
  const reading = TO_READ * (problem.hint?.length ?? 0);
  if (problem.isGood) setTimeout(() => { drop(store, problem); }, STAYS + reading);
}

function drop(store: Store, problem: Problem): void {
  store.set({ notices: store.now.notices.filter((one) => one !== problem) });
}

export function showNotices(root: HTMLElement, store: Store): void {
  store.on(["notices"], ({ notices }) => {
    root.replaceChildren(
      ...notices.map((one) => {
        const text = make("span", {}, one.message);
        const hint = one.hint ? [make("span", { class: "quiet" }, one.hint)] : [];
        const close = button("×", () => { drop(store, one); }, { "aria-label": "Close" });
        const told = make("div", { class: "told" }, text, ...hint);
        return make("div", { class: one.isGood ? "notice good" : "notice" }, told, close);
      }),
    );
  });
}
