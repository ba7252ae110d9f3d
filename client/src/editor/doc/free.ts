/** Places on the ground where somebody can stand. */

import { at, isFields, type ShotDocument } from "./document";
import { distance } from "./footprint";
import { solidsOf } from "./solids";

type Ground = [number, number];

/** Room between one who stands and the ways of others, and solids, metres. */
const ROOM = 0.9;
const BESIDE = 0.5;

/** Whether nobody else comes near a place, and nothing stands there. */
export function isFree(doc: ShotDocument, place: Ground, taken: readonly Ground[]): boolean {
  if (taken.some(([x, z]) => Math.hypot(x - place[0], z - place[1]) < ROOM)) return false;
  return solidsOf(doc).every((solid) => {
    const fields = at(doc, solid.path);
    const isFlat = solid.shape === "heightmap" || !isFields(fields);
    return isFlat || distance(fields, solid.at, place) >= BESIDE;
  });
}
