/** A form made from a list of fields. */

import { at, isPair, type Path } from "../doc/document";
import type { Field, FieldType } from "../doc/kinds";
import { append, put, take } from "../doc/ops";
import { button, make } from "../shell/dom";
import {
  type Control, type ControlTools, flagControl, inputControl, isBusy, placeControl, row, selectControl,
  sliderControl,
} from "./controls";
import { isRight, numberInput } from "./numbers";

const JOINTS = ["right_hand", "left_hand", "right_foot", "left_foot", "head", "gaze"];

type Maker = (field: Field, path: Path, tools: ControlTools) => Control;

const MAKERS: Partial<Record<FieldType, Maker>> = {
  slider: sliderControl,
  place: (field, path, tools) => placeControl(field, path, 2, tools),
  point: (field, path, tools) => placeControl(field, path, 3, tools),
  places: placesControl,
  style: (field, path, tools) =>
    selectControl(field, path, () => tools.store.now.library?.styles ?? [], tools),
  joint: (field, path, tools) => selectControl(field, path, () => JOINTS, tools),
  choice: (field, path, tools) => selectControl(field, path, () => field.options ?? [], tools),
  flag: flagControl,
  clip: (field, path, tools) => inputControl(field, path, tools, "clip-names"),
  model: (field, path, tools) => inputControl(field, path, tools, "model-names"),
};

/** The control of a field. */
export function controlOf(field: Field, path: Path, tools: ControlTools): Control {
  return (MAKERS[field.type] ?? inputControl)(field, path, tools);
}

/** Names that inputs propose; one for the page. */
export function makeNameLists(tools: ControlTools): HTMLElement {
  const clips = make("datalist", { id: "clip-names" });
  const models = make("datalist", { id: "model-names" });
  tools.store.on(["library"], ({ library }) => {
    clips.replaceChildren(
      ...(library?.clips ?? []).map((clip) => make("option", { value: clip.name })),
    );
    models.replaceChildren(
      ...(library?.models ?? []).map((name) => make("option", { value: name })),
    );
  });
  return make("div", { hidden: true }, clips, models);
}

/** Places in an order, such as a way. */
function placesControl(field: Field, path: Path, tools: ControlTools): Control {
  const { store, editing } = tools;
  const list = make("ol", { class: "places" });
  const add = button("Add point", () => {
    const points = at(store.now.doc, path);
    const last = Array.isArray(points) ? points.at(-1) : undefined;
    const next = isPair(last) ? [last[0], last[1] + 1] : [0, 1];
    editing.commit(append(store.now.doc, path, next), "add a point");
  });
  let known = "";
  const refresh = (): void => {
    const points = at(store.now.doc, path);
    const wanted = JSON.stringify(points ?? null);
    if (wanted === known || isBusy(list)) return;
    known = wanted;
    const entries = Array.isArray(points) ? points : [];
    list.replaceChildren(...entries.map((_, i) => pointRow([...path, i], tools)));
  };
  const box = make("div", { class: "places-box" }, list, add);
  return { element: row(field, box), refresh };
}

function pointRow(path: Path, tools: ControlTools): HTMLElement {
  const { store, editing } = tools;
  const value = at(store.now.doc, path);
  const remove = button("×", () => {
    editing.commit(take(store.now.doc, path), "delete a point");
  }, { "aria-label": "Delete point" });
  if (!isPair(value)) return make("li", {}, make("span", {}, String(value)), remove);
  const numbers = value.map((one, i) => {
    const input = numberInput({ step: 0.05 }, { class: "short", "aria-label": i === 0 ? "x" : "z" });
    input.value = String(one);
    input.addEventListener("change", () => {
      if (!isRight(input, {}, true)) return;
      editing.commit(put(store.now.doc, [...path, i], Number(input.value) || 0), "move a point");
    });
    return input;
  });
  return make("li", {}, ...numbers, remove);
}
