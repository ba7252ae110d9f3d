/** What a click would put on the ground: its outline, and which way is up. */

import type { Drawable } from "../../model";
import { lengthOf, outline } from "../doc/footprint";
import type { SHAPES } from "../doc/solids";

export const PREVIEW = "preview/";

export function previewOf(
  { label, list, fields }: (typeof SHAPES)[string], at: [number, number],
): Map<string, Drawable> {
  const far = lengthOf(fields);
  const up: [number, number][] = [[-0.25, far - 0.3], [0, far], [0.25, far - 0.3]];
  const arrow = up.map(([x, z]): [number, number] => [at[0] + x, at[1] + z]);
  const found = new Map<string, Drawable>([
    [`${PREVIEW}outline`, { kind: "path", points: outline(fields, at), label }],
  ]);
  if (list === "ground") found.set(`${PREVIEW}up`, { kind: "path", points: arrow });
  return found;
}
