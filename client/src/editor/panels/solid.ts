/** The fields of an obstacle, or of ground that is not level, and its form where it is chosen. */

import { at } from "../doc/document";
import type { Field } from "../doc/kinds";
import { take } from "../doc/ops";
import { type Solid, solidsOf } from "../doc/solids";
import { button, make } from "../shell/dom";
import type { ControlTools } from "./controls";
import { controlOf } from "./form";

const metres = { type: "number", unit: "m", step: 0.05, usual: "none" } as const;
const place = (key: string): Field => ({ key, label: "Place", type: "place" });
const angle = (key: string, label: string): Field => ({
  ...{ key, label, type: "number", unit: "°", step: 5, usual: "0" },
});
const width: Field = { ...metres, key: "width", label: "Width", min: 0, usual: "everywhere" };
const landing: Field = { ...metres, key: "landing", label: "Level behind", min: 0, usual: "for ever" };

export const SOLID_FIELDS: Record<string, Field[]> = {
  cylinder: [
    place("center"),
    { ...metres, key: "radius", label: "Radius", min: 0 },
    { ...metres, key: "bottom", label: "Bottom" },
    { ...metres, key: "top", label: "Top" },
  ],
  box: [
    place("center"),
    angle("angle", "Turned"),
    { ...metres, key: "bottom", label: "Bottom" },
    { ...metres, key: "top", label: "Top" },
  ],
  slope: [
    place("start"),
    angle("heading", "Goes up to"),
    { key: "steepness", label: "Steepness", type: "number", unit: "°", step: 1, usual: "0" },
    { ...metres, key: "length", label: "Length", min: 0, usual: "without end" },
    width,
    landing,
  ],
  stairs: [
    place("start"),
    angle("heading", "Go up to"),
    { ...metres, key: "rise", label: "Rise", step: 0.01 },
    { ...metres, key: "tread", label: "Tread", step: 0.01, min: 0 },
    { key: "steps", label: "Steps", type: "number", step: 1, min: 1 },
    width,
    landing,
  ],
  heightmap: [place("origin"), { ...metres, key: "cell", label: "Cell" }],
};

/** Show a solid's fields; how to show them anew. */
export function showSolid(element: HTMLElement, solid: Solid, tools: ControlTools): () => void {
  const { store, editing } = tools;
  const controls = (SOLID_FIELDS[solid.shape] ?? []).map((field) =>
    controlOf(field, [...solid.path, field.key], tools),
  );
  const drop = button("Delete", () => {
    editing.commit(take(store.now.doc, solid.path), `delete ${solid.label}`);
    store.set({ chosen: null });
  });
  element.replaceChildren(
    ...[make("h2", {}, solid.label), make("p", { class: "quiet" }, "Drag it over the ground, its knob turns it.")],
    ...controls.map((control) => control.element),
    make("div", { class: "buttons" }, drop),
  );
  return () => {
    if (at(store.now.doc, solid.path) === undefined) return;
    for (const control of controls) control.refresh();
  };
}

/** The solid that is chosen. */
export function chosenSolid({ store }: ControlTools): Solid | null {
  const { chosen, doc } = store.now;
  return solidsOf(doc).find((solid) => solid.path.join("/") === chosen) ?? null;
}
