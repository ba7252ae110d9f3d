/** What holds where a facing is not given: that of the mark that is gone to. */

import { at, type Path, type ShotDocument } from "../doc/document";
import type { Control, ControlTools } from "./controls";

/** In words, for who leaves the field of a walk or a key empty; null where no mark says it. */
export function facingOfMark(doc: ShotDocument, owner: Path): string | null {
  const mark = at(doc, [...owner, "to"]) ?? at(doc, [...owner, "position"]);
  if (typeof mark !== "string") return null;
  const facing = at(doc, ["marks", mark, "facing"]);
  return typeof facing === "number" ? `${String(facing)}, as ${mark} has it` : null;
}

/** A facing's control that tells what the mark says. */
export function facingControl(
  control: Control, owner: Path, usual: string, tools: ControlTools,
): Control {
  const input = control.element.querySelector("input");
  const refresh = (): void => {
    control.refresh();
    if (input !== null) input.placeholder = facingOfMark(tools.store.now.doc, owner) ?? usual;
  };
  return { element: control.element, refresh };
}
