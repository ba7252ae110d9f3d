/** The poses of a span between poses: which, when, where. */

import { at, isFields } from "../doc/document";
import type { Item } from "../doc/items";
import { KEYS } from "../doc/kinds";
import { append, take } from "../doc/ops";
import { addedPose } from "../doc/poses";
import { trackPath } from "../doc/spans";
import { button, make } from "../shell/dom";
import { type Control, type ControlTools, isBusy } from "./controls";
import { controlOf } from "./form";

/** Fields of each pose, and a way to add one. */
export function posesControl(item: Item, tools: ControlTools): Control {
  const { store, editing } = tools;
  const path = [...trackPath(item.who, item.span), "keys"];
  const list = make("div", {});
  const add = button("Add pose", () => {
    const { doc, plan } = store.now;
    const pose = plan === null ? null : addedPose(doc, plan, item.who, item.span);
    if (pose !== null) editing.commit(append(doc, path, pose), "add a pose");
  });
  let controls: Control[] = [];
  let count = -1;
  const refresh = (): void => {
    const keys = at(store.now.doc, path);
    const entries = Array.isArray(keys) ? keys.filter(isFields) : [];
    if (entries.length !== count && !isBusy(list)) {
      count = entries.length;
      const groups = entries.map((_, i) => poseGroup([...path, i], i, count, tools));
      controls = groups.flatMap((group) => group.controls);
      list.replaceChildren(...groups.map((group) => group.element));
    }
    for (const control of controls) control.refresh();
  };
  return { element: make("div", { class: "poses" }, list, add), refresh };
}

function poseGroup(
  path: (string | number)[], index: number, count: number, tools: ControlTools,
): { element: HTMLElement; controls: Control[] } {
  const { store, editing } = tools;
  const name = count > 1 ? `Pose ${String(index + 1)}` : "Pose";
  const controls = (KEYS["pose"] ?? []).map((field) => controlOf(field, [...path, field.key], tools));
  const rows = controls.map((control) => control.element);
  const drop = button("Delete pose", (event) => {
    (event.currentTarget as HTMLElement).blur();
    editing.commit(take(store.now.doc, path), "delete a pose");
  });
  const more = count > 1 ? [drop] : [];
  return { element: make("div", { role: "group", "aria-label": name }, make("h3", {}, name), ...rows, ...more), controls };
}
