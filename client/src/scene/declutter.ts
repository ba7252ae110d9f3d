/** Words that would lie over each other are shifted, or the later ones are left out. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How far words may be shifted, in their heights, the nearest first. */
const SHIFTS = [0, 1, -1, 2, -2];

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** For each box, the more important first, how far it goes down, pixels; null where there is no room. */
export function declutter(boxes: readonly Box[]): (number | null)[] {
  const taken: Box[] = [];
  return boxes.map((box) => {
    for (const times of SHIFTS) {
      const shift = times * box.height;
      const there = { ...box, y: box.y + shift };
      if (taken.some((one) => overlap(one, there))) continue;
      taken.push(there);
      return shift;
    }
    return null;
  });
}
