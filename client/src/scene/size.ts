/** How large a body is. */
import type { Character } from "../model";

/** Height of a person whose prints and shadows have the sizes that are written down, metres. */
export const USUAL = 1.75;

/** Height of a body at rest, metres. */
export function tallOf(character: Pick<Character, "skin">): number {
  const { skin } = character;
  if (!skin || skin.vertices.length === 0) return USUAL;
  let [low, high] = [Infinity, -Infinity];
  for (let i = 1; i < skin.vertices.length; i += 3) {
    low = Math.min(low, skin.vertices[i] as number);
    high = Math.max(high, skin.vertices[i] as number);
  }
  return Math.max(high - low, 0.1);
}
