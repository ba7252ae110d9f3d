/** Rows of one thing that can be folded away, and taken out of the shot. */

import type { Path } from "../doc/document";
import type { Field } from "../doc/kinds";
import type { Op } from "../../net/messages";
import { button, make } from "../shell/dom";
import type { ControlTools } from "./controls";

/** Makes the rows of fields at a path, and keeps them up to date. */
export type Keep = (path: Path, fields: Field[]) => HTMLElement[];
export type Removal = () => { ops: Op[]; tools: ControlTools };

export function group(name: string, rows: HTMLElement[], removal: Removal): HTMLElement {
  const drop = button("Delete", () => {
    const { ops, tools } = removal();
    tools.editing.commit(ops, `delete ${name}`);
  }, { "aria-label": `Delete ${name}` });
  return make("details", {}, make("summary", {}, name), ...rows, drop);
}
