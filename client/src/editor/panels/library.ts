/** Clips that there are, and clips of one's own: brought by a button or dropped on the page. */

import { freeName } from "../doc/spans";
import { append } from "../doc/ops";
import type { Editing } from "../editing";
import type { Uploads } from "../../net/uploads";
import { button, make } from "../shell/dom";
import type { Store } from "../store";

/** More rows than this are found by their name. */
const MOST = 200;

export function makeLibraryPanel(store: Store, editing: Editing, uploads: Uploads): HTMLElement {
  const search = make("input", { type: "search", placeholder: "Find a clip", "aria-label": "Find a clip" });
  const list = make("ul", { class: "clips" });
  const files = make("input", { type: "file", multiple: true, hidden: true });
  files.addEventListener("change", () => {
    for (const file of files.files ?? []) void uploads.send(file);
    files.value = "";
  });
  const add = button("Bring clips…", () => { files.click(); });
  const state = make("p", { class: "quiet", role: "status" });
  const rest = (): string => kindsText(store.now.welcome?.kinds ?? []);
  uploads.onState = (text) => { state.textContent = text || rest(); };
  store.on(["welcome"], ({ welcome }) => {
    files.accept = (welcome?.kinds ?? []).join(",");
    state.textContent = rest();
  });
  const count = make("p", { class: "quiet" });
  const show = (): void => {
    const clips = store.now.library?.clips ?? [];
    const wanted = search.value.toLowerCase();
    const found = clips.filter((clip) =>
      [clip.name, ...clip.labels].some((text) => text.toLowerCase().includes(wanted)),
    );
    count.textContent = `${String(found.length)} of ${String(clips.length)} clips`;
    list.replaceChildren(
      ...found.slice(0, MOST).map((clip) => {
        const add_ = button("Add", () => { addClip(store, editing, clip.name); }, {
          "aria-label": `Add ${clip.name} to the shot`,
        });
        const facts = `${clip.seconds.toFixed(1)} s ${clip.labels.join(", ")}`;
        return make("li", {}, make("span", { class: "clip-name" }, clip.name), make("span", { class: "quiet" }, facts), add_);
      }),
    );
  };
  search.addEventListener("input", show);
  store.on(["library"], show);
  return make("div", { class: "library-panel" }, make("div", { class: "buttons" }, add, files), state, search, count, list);
}

/** Files that can be brought, as the studio told. */
export function kindsText(kinds: readonly string[]): string {
  return kinds.length === 0 ? "" : `Drop them on the page, too. Files that can be read: ${kinds.join(", ")}.`;
}

function addClip(store: Store, editing: Editing, clip: string): void {
  const { doc, plan, who } = store.now;
  if (who === null) return;
  const id = freeName(doc, plan, who, "clip");
  const index = doc.tracks?.[who]?.length ?? 0;
  if (editing.commit(append(doc, ["tracks", who], { id, do: "clip", clip }), `add ${clip}`)) {
    store.set({ chosen: `tracks/${who}/${String(index)}` });
  }
}

/** Files dropped anywhere on the page are brought. */
export function acceptDrops(root: HTMLElement, uploads: Uploads): void {
  root.addEventListener("dragover", (event) => {
    event.preventDefault();
    root.classList.add("dropping");
  });
  root.addEventListener("dragleave", () => { root.classList.remove("dropping"); });
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("dropping");
    for (const file of event.dataTransfer?.files ?? []) void uploads.send(file);
  });
}
