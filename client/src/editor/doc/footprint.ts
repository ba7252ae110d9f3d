/** What a solid covers of the ground, and where it covers no ring. */

import { type Fields, isPair } from "./document";

type Ground = [number, number];

/** Room between a solid and a ring, metres. */
const ROOM = 0.4;
/** Other places are tried in rings so far apart, metres, and so many. */
const STEP = 0.1;
const RINGS = 40;
const WAYS = 16;
const CORNERS = 16;

const number = (value: unknown, usual: number): number => (typeof value === "number" ? value : usual);

/** The angle by which a solid is turned: its field, degrees from +Z towards +X. */
export function turnField(shape: string): "heading" | "angle" | null {
  if (shape === "stairs" || shape === "slope") return "heading";
  return shape === "box" ? "angle" : null;
}

/** Least and most aside and ahead of where it is placed, metres. */
function extent(solid: Fields): { aside: number; back: number; ahead: number } {
  if (solid["shape"] === "stairs") {
    const tread = number(solid["tread"], 0.3);
    const behind = number(solid["landing"], 2 * tread);
    const ahead = tread * (number(solid["steps"], 1) - 1) + behind;
    return { aside: number(solid["width"], 3) / 2, back: tread, ahead };
  }
  if (solid["shape"] === "slope") {
    return { aside: number(solid["width"], 3) / 2, back: 0, ahead: number(solid["length"], 20) + number(solid["landing"], 0) };
  }
  const size = isPair(solid["size"]) ? solid["size"] : [0, 0];
  return { aside: (size[0] ?? 0) / 2, back: (size[1] ?? 0) / 2, ahead: (size[1] ?? 0) / 2 };
}

/** Where it reaches ahead of its place, metres. */
export const lengthOf = (solid: Fields): number =>
  solid["shape"] === "cylinder" ? number(solid["radius"], 0.3) : extent(solid).ahead;

function angleOf(solid: Fields): number {
  const field = turnField(String(solid["shape"]));
  return field === null ? 0 : (number(solid[field], 0) * Math.PI) / 180;
}

/** The outline of what it covers at a place, the first point again at the end. */
export function outline(solid: Fields, at: Ground): Ground[] {
  if (solid["shape"] === "cylinder") {
    const radius = number(solid["radius"], 0.3);
    return Array.from({ length: CORNERS + 1 }, (_, i): Ground => {
      const angle = (2 * Math.PI * i) / CORNERS;
      return [at[0] + radius * Math.sin(angle), at[1] + radius * Math.cos(angle)];
    });
  }
  const { aside, back, ahead } = extent(solid);
  const [sine, cosine] = [Math.sin(angleOf(solid)), Math.cos(angleOf(solid))];
  const corners: Ground[] = [[-aside, -back], [aside, -back], [aside, ahead], [-aside, ahead], [-aside, -back]];
  return corners.map(([x, z]) => [at[0] + x * cosine + z * sine, at[1] - x * sine + z * cosine]);
}

/** How far a place on the ground is from what a solid covers, metres. */
export function distance(solid: Fields, at: Ground, place: Ground): number {
  const [x, z] = [place[0] - at[0], place[1] - at[1]];
  if (solid["shape"] === "cylinder") return Math.max(Math.hypot(x, z) - number(solid["radius"], 0.3), 0);
  const { aside, back, ahead } = extent(solid);
  const [sine, cosine] = [Math.sin(angleOf(solid)), Math.cos(angleOf(solid))];
  const across = Math.abs(x * cosine - z * sine) - aside;
  const along = x * sine + z * cosine;
  const beyond = Math.max(along - ahead, -back - along);
  return Math.hypot(Math.max(across, 0), Math.max(beyond, 0));
}

/** The nearest place where a solid covers no ring. */
export function clearPlace(solid: Fields, wanted: Ground, rings: readonly Ground[]): Ground {
  const isClear = (at: Ground): boolean => rings.every((ring) => distance(solid, at, ring) >= ROOM);
  for (let i = 0; i <= RINGS; i++) {
    for (let k = 0; k < (i === 0 ? 1 : WAYS); k++) {
      const angle = (2 * Math.PI * k) / WAYS;
      const at: Ground = [wanted[0] + i * STEP * Math.sin(angle), wanted[1] + i * STEP * Math.cos(angle)];
      if (isClear(at)) return at;
    }
  }
  return wanted;
}
