/** Obstacles and ground that is not level: added, and moved. */

import type { Op } from "../../net/messages";
import { at, type Fields, isPair, type Path, type ShotDocument } from "./document";
import { clearPlace, turnField } from "./footprint";
import { append, put } from "./ops";
import { rounded } from "./times";

export interface Solid {
  path: Path;
  shape: string;
  /** Where it is taken hold of. */
  at: [number, number];
  place: Path;
  label: string;
}

const PLACES: Record<string, string> = {
  ...{ cylinder: "center", box: "center", heightmap: "origin", slope: "start", stairs: "start" },
};

export const SHAPES: Record<string, { list: "avoid" | "ground"; label: string; fields: Fields }> = {
  post: { list: "avoid", label: "post", fields: { shape: "cylinder", radius: 0.3, top: 1.2 } },
  box: { list: "avoid", label: "box", fields: { shape: "box", size: [0.8, 0.6], top: 0.9 } },
  slope: {
    list: "ground",
    label: "slope",
    fields: { shape: "slope", heading: 0, steepness: 5, length: 3, width: 2, landing: 1.5 },
  },
  stairs: {
    list: "ground",
    label: "stairs",
    fields: { shape: "stairs", heading: 0, rise: 0.17, tread: 0.3, steps: 4, width: 2, landing: 1.5 },
  },
};

/** All solids with where they stand. */
export function solidsOf(doc: ShotDocument): Solid[] {
  return (["avoid", "ground"] as const).flatMap((list) =>
    (doc[list] ?? []).map((fields, i) => {
      const shape = String(fields["shape"]);
      const path: Path = [list, i];
      const place = [...path, PLACES[shape] ?? "center"];
      const where = at(doc, place);
      const label = shape === "cylinder" ? "post" : shape;
      return { path, shape, place, at: isPair(where) ? where : [0, 0], label };
    }),
  );
}

/** The path of one that is added next. */
export function nextSolid(doc: ShotDocument, what: string): Path | null {
  const list = SHAPES[what]?.list;
  return list === undefined ? null : [list, doc[list]?.length ?? 0];
}

/** Put a new one somewhere, beside rings rather than on them. */
export function addSolid(
  doc: ShotDocument, what: string, wanted: [number, number], rings: readonly [number, number][] = [],
): Op[] {
  const shape = SHAPES[what];
  if (shape === undefined) return [];
  const where = clearPlace(shape.fields, wanted, rings);
  const place = PLACES[String(shape.fields["shape"])] ?? "center";
  return append(doc, [shape.list], { ...shape.fields, [place]: where.map(rounded) });
}

export const moveSolid = (doc: ShotDocument, solid: Solid, to: [number, number]): Op[] =>
  put(doc, solid.place, to.map(rounded));

/** Turn one; degrees from +Z towards +X. */
export function turnSolid(doc: ShotDocument, solid: Solid, angle: number): Op[] {
  const field = turnField(solid.shape);
  return field === null ? [] : put(doc, [...solid.path, field], Math.round(angle * 10) / 10);
}
