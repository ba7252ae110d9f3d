/** The shot as files for other programs. */

import type { ClientMessage, ExportFormat } from "../../net/messages";
import { button, make } from "../shell/dom";
import type { Store } from "../store";

const FORMATS: [ExportFormat, string, string][] = [
  ["glb", "glTF (.glb)", "Blender, Unity, Godot, the web; with skin, all characters"],
  ["fbx", "FBX", "Maya, MotionBuilder, Unreal, Unity"],
  ["bvh", "BVH", "a file for each character"],
  ["usda", "USD", "Omniverse, Houdini, Blender"],
  ["html", "Page", "one file that plays in any browser, without a connection"],
  ["report", "Report", "what was asked and what became of it, as text"],
];

export function makeExportPanel(store: Store, send: (message: ClientMessage) => boolean): HTMLElement {
  const state = make("p", { class: "quiet", role: "status" });
  const rows = FORMATS.map(([format, label, what]) =>
    make(
      "li",
      {},
      button(label, () => {
        state.textContent = `making ${label}: the whole search first, then the file`;
        send({ type: "export", format });
      }),
      make("span", { class: "quiet" }, what),
    ),
  );
  const done = make("ul", { class: "exported" });
  store.on(["refused"], ({ refused }) => {
    if (refused?.format === undefined) return;
    const line = refused.line === undefined ? "" : `line ${String(refused.line)}: `;
    state.textContent = `${refused.format} could not be made: ${line}${refused.message}`;
  });
  store.on(["exported"], ({ exported }) => {
    if (exported.length > 0) state.textContent = "ready:";
    done.replaceChildren(
      ...exported.map((one) =>
        make("li", {}, make("a", { href: one.url, download: one.name }, one.name)),
      ),
    );
  });
  const text = "Files are the same as `motionloom shot` writes for this shot.";
  const head = make("p", { class: "quiet" }, text);
  return make("div", { class: "export-panel" }, head, make("ul", { class: "formats" }, ...rows), state, done);
}
