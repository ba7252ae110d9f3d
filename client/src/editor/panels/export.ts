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
  ["png", "Picture", "a sheet of the motion at the times that count"],
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
  let known = 0;
  store.on(["exported"], ({ exported }) => {
    const fresh = exported.slice(0, exported.length - known);
    known = exported.length;
    for (const one of fresh.reverse()) void fetchFile(one.url, one.name, done, state);
  });
  store.on(["isExporting"], ({ isExporting }, before) => {
    if (before.isExporting && !isExporting) state.textContent = "";
  });
  const text = "Files are the same as `motionloom shot` writes for this shot, and are downloaded when they are there.";
  const head = make("p", { class: "quiet" }, text);
  const list = make("ul", { class: "formats" }, ...rows);
  return make("div", { class: "export-panel" }, head, state, done, list);
}

/** Download a file at once; the server gives it once, so a link keeps it for another time. */
async function fetchFile(url: string, name: string, done: HTMLElement, state: HTMLElement): Promise<void> {
  const answer = await fetch(url).catch(() => null);
  if (answer?.ok !== true) {
    state.textContent = `${name} could not be fetched; export it again`;
    return;
  }
  const href = URL.createObjectURL(await answer.blob());
  const link = make("a", { href, download: name }, `${name}, downloaded; again`);
  done.prepend(make("li", {}, link));
  link.click();
}
