/** Over which time spans are joined: of all, and of one join. */

import { at, isFields, type Path, type ShotDocument } from "../doc/document";
import type { Item } from "../doc/items";
import type { Field } from "../doc/kinds";
import { put, take } from "../doc/ops";
import { followed } from "../doc/spans";
import { type Control, type ControlTools, isBusy, row } from "./controls";
import { isRight, numberInput } from "./numbers";

/** The longest that a join may take, seconds. */
const LONGEST = 3;

/** Of all joins. */
export const JOINED: Field = {
  ...{ key: "over", label: "Joined over", type: "number", unit: "s", min: 0.05, max: LONGEST },
  ...{ step: 0.05, usual: "0.4" },
};

/** Where a shot says it for all: there are two ways to write it. */
export function overPath(doc: ShotDocument): Path {
  return isFields(at(doc, ["joins", "default"])) ? ["joins", "default", "over"] : ["joins", "over"];
}

/** The time of the join at a span's begin; none where no span goes before it. */
export function joinControls(item: Item, { store, editing }: ControlTools): Control[] {
  const name = (): string | null => {
    const { plan } = store.now;
    const own = plan?.tracks[item.who]?.find((one) => one.index === item.span);
    const before = plan === null ? undefined : followed(plan, item.who, item.span);
    return own === undefined || before === undefined ? null : `${before.id}->${own.id}`;
  };
  if (name() === null) return [];
  const { min, max, step } = JOINED;
  const input = numberInput({ min, max, step });
  input.addEventListener("change", () => {
    const join = name();
    const { doc } = store.now;
    if (join === null || !isRight(input, JOINED)) return;
    const path = ["joins", join];
    const value = { over: Number(input.value) };
    editing.commit(input.value.trim() === "" ? take(doc, path) : put(doc, path, value), `join ${join}`);
  });
  const refresh = (): void => {
    const { doc } = store.now;
    const own = at(doc, ["joins", name() ?? "", "over"]);
    const usual = at(doc, overPath(doc)) ?? JOINED.usual;
    input.placeholder = String(usual);
    if (!isBusy(input)) input.value = typeof own === "number" ? String(own) : "";
  };
  return [{ element: row({ ...JOINED, label: "Join before" }, input), refresh }];
}
