/** The panel of what is chosen: its fields, its alternatives, what became of it. */

import { removeItem } from "../doc/changes";
import { type Fields, type Path } from "../doc/document";
import type { Item } from "../doc/items";
import { type Field, KEYS, KINDS, SEED, TIMES } from "../doc/kinds";
import { append } from "../doc/ops";
import type { Solid } from "../doc/solids";
import { rename, trackPath } from "../doc/spans";
import { rounded } from "../doc/times";
import { button, make, setText } from "../shell/dom";
import { makeAlternatives } from "./alternatives";
import { joinControls } from "./joins";
import { posesControl } from "./between";
import type { Control, ControlTools } from "./controls";
import { facingControl } from "./facing";
import { controlOf } from "./form";
import { chosenSolid, showSolid } from "./solid";
import type { ClientMessage } from "../../net/messages";

export interface SpanTools extends ControlTools {
  send: (message: ClientMessage) => boolean;
}

export function makeSpanPanel(tools: SpanTools): HTMLElement {
  const { store } = tools;
  const element = make("div", { class: "span-panel" });
  let shown: string | null = null;
  let refresh: () => void = () => undefined;
  store.onCalm(["chosen", "doc", "plan", "library", "report", "alternatives"], () => {
    const item = store.chosenItem;
    const solid = item === null ? chosenSolid(tools) : null;
    const wanted = item === null ? solidOutline(solid) : `${item.id} ${item.kind}`;
    if (wanted !== shown) {
      shown = wanted;
      if (item !== null) refresh = showItem(element, item, tools);
      else refresh = solid === null ? showNothing(element) : showSolid(element, solid, tools);
    }
    refresh();
  });
  return element;
}

const solidOutline = (solid: Solid | null): string =>
  solid === null ? "" : `${solid.path.join("/")} ${solid.shape}`;

function showNothing(element: HTMLElement): () => void {
  const text = "Choose a span or a key in the timeline, or click on the ground to place a checkpoint.";
  element.replaceChildren(make("p", { class: "quiet" }, text));
  return () => undefined;
}

function showItem(element: HTMLElement, item: Item, tools: SpanTools): () => void {
  const isSpan = item.lane === "spans" || item.lane === "layer" || item.kind === "reach";
  const whole = isSpan || item.kind === "goal" || item.kind === "path";
  const controls = whole ? spanControls(item, tools) : keyControls(item, tools);
  const title = make("h2", {}, titleOf(item));
  const what = whole ? KINDS[kindOf(item, tools)]?.what : "";
  const outcome = make("ul", { class: "outcome" });
  const others = makeAlternatives(tools);
  const parts: HTMLElement[] = [title, make("p", { class: "quiet" }, what ?? "")];
  if (whole) parts.push(nameRow(item, tools));
  parts.push(...controls.map((control) => control.element));
  parts.push(buttons(item, tools), outcome, others.element);
  element.replaceChildren(...parts);
  return () => {
    const now = tools.store.chosenItem;
    if (now === null) return;
    for (const control of controls) control.refresh();
    showOutcome(outcome, now, tools);
    others.show(now);
  };
}

const titleOf = (item: Item): string =>
  item.kind === item.label ? item.label : `${item.label} (${item.kind.replaceAll("_", " ")})`;

function kindOf(item: Item, tools: ControlTools): string {
  const span = tools.store.now.doc.tracks?.[item.who]?.[item.span];
  return span?.do ?? item.kind;
}

function spanControls(item: Item, tools: ControlTools): Control[] {
  const kind = kindOf(item, tools);
  const times: Field[] = kind === "reach" || kind === "between" ? [] : TIMES;
  const fields = [...(KINDS[kind]?.fields ?? []), ...times, SEED];
  const path = trackPath(item.who, item.span);
  const poses = kind === "between" ? [posesControl(item, tools)] : [];
  const own = [...poses, ...fields.map((field) => ownControl(field, path, tools))];
  return item.lane === "spans" ? [...own, ...joinControls(item, tools)] : own;
}

/** A control of a field; an empty facing tells that of the mark. */
function ownControl(field: Field, owner: Path, tools: ControlTools): Control {
  const control = controlOf(field, [...owner, field.key], tools);
  return field.key === "facing" ? facingControl(control, owner, field.usual ?? "", tools) : control;
}

function keyControls(item: Item, tools: ControlTools): Control[] {
  const fields = KEYS[item.kind] ?? [];
  const own = tools.store.now.doc.tracks?.[item.who]?.[item.span];
  return fields.map((field) => {
    const isHeld = field.key === "time" && item.time?.at(-1) === "from" && own !== undefined;
    return ownControl(isHeld ? { ...field, key: "from" } : field, item.path, tools);
  });
}

function nameRow(item: Item, tools: ControlTools): HTMLElement {
  const { store, editing } = tools;
  const input = make("input", { type: "text", id: "span-name", spellcheck: "false" });
  const planned = store.now.plan?.tracks[item.who]?.find((one) => one.index === item.span);
  input.value = planned?.id ?? "";
  input.pattern = "[A-Za-z][A-Za-z0-9_\\-]{0,63}";
  input.addEventListener("change", () => {
    const { doc, plan } = store.now;
    if (plan === null || !input.checkValidity() || input.value === "") return;
    editing.commit(rename(doc, plan, item.who, item.span, input.value), `rename ${item.label}`);
  });
  const label = make("label", { for: "span-name" }, "Name");
  return make("div", { class: "field" }, label, make("span", { class: "value" }, input));
}

function buttons(item: Item, tools: SpanTools): HTMLElement {
  const { store, editing } = tools;
  const box = make("div", { class: "buttons" });
  const kind = kindOf(item, tools);
  if (item.lane === "spans" && (kind === "walk" || kind === "edit")) {
    box.append(button("Add hand key here", () => { addConstraint(item, tools); }));
  }
  if (item.lane === "spans") {
    const id = item.label;
    box.append(button("Other ways", () => {
      tools.send({ type: "alternatives", who: item.who, span: id });
    }));
  }
  box.append(button("Delete", () => {
    const { doc, plan } = store.now;
    const now = store.chosenItem;
    if (plan !== null && now !== null) editing.commit(removeItem(doc, plan, now), `delete ${now.label}`);
  }));
  return box;
}

function addConstraint(item: Item, tools: ControlTools): void {
  const { store, editing } = tools;
  const time = store.now.frame / store.fps - item.start;
  const inside = Math.min(Math.max(time, 0), item.end - item.start);
  const path: Path = [...item.path, "constraints", "joints"];
  const entry: Fields = { time: rounded(inside), joint: "right_hand", position: [0.3, 1.1, 0.5] };
  editing.commit(append(store.now.doc, path, entry), "add a hand key");
}

function showOutcome(list: HTMLElement, item: Item, tools: ControlTools): void {
  const planned = tools.store.now.plan?.tracks[item.who]?.find((one) => one.index === item.span);
  const own = tools.store.now.report[item.who]?.spans.find((span) => span.id === planned?.id);
  const lines = own === undefined ? [] : [...own.problems, ...own.rows, ...own.notes];
  if (lines.length === list.children.length) {
    lines.forEach((line, i) => { setText(list.children[i] as Element, line); });
    return;
  }
  list.replaceChildren(...lines.map((line) => make("li", {}, line)));
  own?.problems.forEach((_, i) => { list.children[i]?.classList.add("bad"); });
}
