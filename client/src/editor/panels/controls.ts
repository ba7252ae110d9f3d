/** Controls of a form: each shows one value of the document and changes it. */

import type { Op } from "../../net/messages";
import { at, isPair, isTriple, type Path, type ShotDocument, type Value } from "../doc/document";
import type { Field } from "../doc/kinds";
import { put, take } from "../doc/ops";
import type { Editing } from "../editing";
import { make } from "../shell/dom";
import type { Store } from "../store";
import { isRight, mark as markField, numberInput } from "./numbers";

export interface Control {
  element: HTMLElement;
  /** Show what the document has now, unless somebody types there. */
  refresh: () => void;
}

export interface ControlTools {
  store: Store;
  editing: Editing;
}

let count = 0;

/** Set or, where nothing is given, take out. */
export function change(doc: ShotDocument, path: Path, value: Value | undefined): Op[] {
  return value === undefined ? take(doc, path) : put(doc, path, value);
}

/** A labelled row with what holds where nothing is given. */
export function row(field: Field, input: HTMLElement, ...more: (Node | string)[]): HTMLElement {
  input.id ||= `f${String(++count)}`;
  const label = make("label", { for: input.id }, field.label);
  const unit = field.unit === undefined ? [] : [make("span", { class: "unit" }, field.unit)];
  return make("div", { class: "field" }, label, make("span", { class: "value" }, input, ...more, ...unit));
}

export function isBusy(element: HTMLElement): boolean {
  return element.contains(document.activeElement);
}

/** A number or text in one input. */
export function inputControl(
  field: Field, path: Path, tools: ControlTools, list?: string,
): Control {
  const isNumber = field.type === "number";
  const placeholder = field.usual ?? "";
  const input = isNumber
    ? numberInput(field, { placeholder })
    : make("input", { type: "text", placeholder, list, spellcheck: "false" });
  input.addEventListener("change", () => {
    if (isNumber && !isRight(input, field)) return;
    const ops = change(tools.store.now.doc, path, parsed(field, input.value));
    tools.editing.commit(ops, `change ${field.label.toLowerCase()}`);
  });
  const refresh = (): void => {
    if (!isBusy(input)) showValue(input, shown(at(tools.store.now.doc, path)));
  };
  return { element: row(field, input), refresh };
}

/** Show a value, which is one that may be. */
function showValue(input: HTMLInputElement, value: string): void {
  input.value = value;
  if (input.validity.customError) markField(input, null);
}

function shown(value: Value | undefined): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}

function parsed(field: Field, text: string): Value | undefined {
  const clean = text.trim();
  if (clean === "") return undefined;
  const isNumber = field.type === "number" || field.type === "time";
  return isNumber && Number.isFinite(Number(clean)) ? Number(clean) : clean;
}

/** A slider whose motion is shown while it is moved. */
export function sliderControl(field: Field, path: Path, tools: ControlTools): Control {
  const { min, max, step } = field;
  const input = make("input", { type: "range", min, max, step });
  const number = numberInput(field, { "aria-label": field.label, placeholder: field.usual ?? "", class: "short" });
  let drag: ReturnType<Editing["begin"]> = null;
  const label = `change ${field.label.toLowerCase()}`;
  input.addEventListener("input", (event) => {
    if (drag === null || drag.isOver) drag = tools.editing.begin(label);
    drag?.update(put(drag.base, path, Number(input.value)), event.timeStamp);
    number.value = input.value;
  });
  input.addEventListener("change", () => {
    drag?.finish();
    drag = null;
  });
  number.addEventListener("change", () => {
    if (!isRight(number, field)) return;
    const value = number.value.trim() === "" ? undefined : Number(number.value);
    tools.editing.commit(change(tools.store.now.doc, path, value), label);
  });
  const refresh = (): void => {
    const value = at(tools.store.now.doc, path);
    if (drag === null) input.value = String(value ?? field.start ?? 0);
    if (!isBusy(number)) showValue(number, shown(value));
  };
  return { element: row(field, input, number), refresh };
}

/** One of several, or none. */
export function selectControl(
  field: Field, path: Path, options: () => string[], tools: ControlTools,
): Control {
  const input = make("select");
  let known: string | null = null;
  input.addEventListener("change", () => {
    const value = input.value === "" ? undefined : input.value;
    const ops = change(tools.store.now.doc, path, value);
    tools.editing.commit(ops, `change ${field.label.toLowerCase()}`);
  });
  const refresh = (): void => {
    const value = shown(at(tools.store.now.doc, path));
    const names = [...new Set([...(field.usual === undefined ? [] : [""]), ...options(), value])];
    const wanted = names.join("\n");
    if (wanted !== known) {
      known = wanted;
      input.replaceChildren(
        ...names.map((name) => make("option", { value: name }, name || (field.usual ?? ""))),
      );
    }
    input.value = value;
  };
  return { element: row(field, input), refresh };
}

/** Yes or no; `usual` holds where neither is given. */
export function flagControl(field: Field, path: Path, tools: ControlTools): Control {
  const input = make("input", { type: "checkbox" });
  input.addEventListener("change", () => {
    const ops = change(tools.store.now.doc, path, input.checked);
    tools.editing.commit(ops, `change ${field.label.toLowerCase()}`);
  });
  const refresh = (): void => {
    input.checked = (at(tools.store.now.doc, path) ?? field.usual === "true") === true;
  };
  return { element: row(field, input), refresh };
}

/** A mark, or numbers: a place on the ground has two, a point three. */
export function placeControl(field: Field, path: Path, size: 2 | 3, tools: ControlTools): Control {
  const { store, editing } = tools;
  const mark = make("select", { "aria-label": `${field.label}: mark` });
  const axes = size === 2 ? ["x", "z"] : ["x", "y", "z"];
  const numbers = axes.map((axis) =>
    numberInput({ step: 0.05 }, { "aria-label": `${field.label} ${axis}`, class: "short" }),
  );
  const label = `change ${field.label.toLowerCase()}`;
  const marked = (): string[] =>
    Object.entries(store.now.doc.marks ?? {})
      .filter(([, fields]) => fields[size === 2 ? "position" : "point"] !== undefined)
      .map(([name]) => name);
  const own = (): number[] | null => {
    const value = at(store.now.doc, path);
    return isPair(value) || isTriple(value) ? value : null;
  };
  const whole = (): Path => {
    const value = at(store.now.doc, path);
    return typeof value === "string" ? ["marks", value, size === 2 ? "position" : "point"] : path;
  };
  mark.addEventListener("change", () => {
    const old = at(store.now.doc, whole());
    const free = isPair(old) || isTriple(old) ? old : axes.map(() => 0);
    const value = mark.value === "." ? free : mark.value === "" ? undefined : mark.value;
    editing.commit(change(store.now.doc, path, value), label);
  });
  for (const input of numbers) {
    input.addEventListener("change", () => {
      if (!isRight(input, {}, true)) return;
      const value = numbers.map((one) => Number(one.value) || 0);
      editing.commit(put(store.now.doc, whole(), value), label);
    });
  }
  const refresh = (): void => {
    const value = at(store.now.doc, path);
    const names = marked();
    const first = field.usual === undefined ? [] : [make("option", { value: "" }, field.usual)];
    const options = names.map((name) => make("option", { value: name }, name));
    mark.replaceChildren(...first, make("option", { value: "." }, "a place"), ...options);
    mark.value = typeof value === "string" ? value : value === undefined ? "" : ".";
    const place = own() ?? at(store.now.doc, whole());
    numbers.forEach((input, i) => {
      if (isBusy(input)) return;
      const one = Array.isArray(place) ? place[i] : undefined;
      showValue(input, shown(one));
      input.disabled = value === undefined;
    });
  };
  return { element: row(field, mark, ...numbers), refresh };
}
