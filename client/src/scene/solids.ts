/** Geometry of solids and surfaces from the fields of a constraint file. */
import type { BufferGeometry } from "three";
import type { Drawable, Ground, Point3 } from "../model";
import { gridSurface, prism } from "./shapes";
import { heightOf, landingOf, SHOWN_LENGTH, SHOWN_WIDTH } from "./terrain";

/** Solids without a top are drawn so high, metres. */
const TALLEST = 1.9;
const CORNERS = 40;
/** Heights of a map are drawn at most so often along each side. */
const MOST_HEIGHTS = 90;

function extent(d: Drawable): [number, number] {
  const bottom = Number(d.bottom ?? 0);
  const top = d.top === undefined || d.top === null ? Math.max(TALLEST, bottom + 0.1) : Number(d.top);
  return [bottom, top];
}

function cylinder(d: Drawable): BufferGeometry {
  const [x, z] = d.center as Ground;
  const radius = Number(d.radius);
  const outline = Array.from({ length: CORNERS }, (_, i): Ground => {
    const angle = (2 * Math.PI * i) / CORNERS;
    return [x + radius * Math.cos(angle), z + radius * Math.sin(angle)];
  });
  return prism(outline, ...extent(d));
}

/** A place given aside (to the left of the heading) and ahead. */
function placed(start: Ground, heading: number, aside: number, ahead: number): Ground {
  const angle = (heading * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return [start[0] + aside * cosine + ahead * sine, start[1] - aside * sine + ahead * cosine];
}

function box(d: Drawable): BufferGeometry {
  const [wide, deep] = d.size as Ground;
  const signs: Ground[] = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ];
  const outline = signs.map(([a, b]) =>
    placed(d.center as Ground, Number(d.angle ?? 0), (a * wide) / 2, (b * deep) / 2),
  );
  return prism(outline, ...extent(d));
}

/** A strip across the heading with sides down to the ground: rows of [ahead, height]. */
function strip(d: Drawable, rows: Ground[]): BufferGeometry {
  const start = (d.start ?? [0, 0]) as Ground;
  const half = Number(d.width ?? SHOWN_WIDTH) / 2;
  const low = Math.min(...rows.map(([, y]) => y), 0);
  const at = (aside: number, ahead: number, y: number): Point3 => {
    const [x, z] = placed(start, Number(d.heading ?? 0), aside, ahead);
    return [x, y, z];
  };
  const grid = rows.map(([ahead, y]) => [
    at(-half, ahead, low),
    at(-half, ahead, y),
    at(half, ahead, y),
    at(half, ahead, low),
  ]);
  return gridSurface(grid);
}

function slope(d: Drawable): BufferGeometry {
  const length = Number(d.length ?? SHOWN_LENGTH);
  const top = length * Math.tan((Number(d.steepness ?? 0) * Math.PI) / 180);
  const rows: Ground[] = [[0, 0], [length, top]];
  return strip(d, typeof d.length === "number" ? [...rows, ...behind(d, length, top, 1.5)] : rows);
}

function stairs(d: Drawable): BufferGeometry {
  const [rise, tread, steps] = [Number(d.rise ?? 0.17), Number(d.tread ?? 0.3), Number(d.steps ?? 1)];
  const rows: Ground[] = [[-tread, 0]];
  for (let i = 0; i < steps; i++) rows.push([i * tread, i * rise], [i * tread, (i + 1) * rise]);
  return strip(d, [...rows, ...behind(d, (steps - 1) * tread, steps * rise, 2 * tread)]);
}

/** What is level behind a slope or stairs: down again at its end where it has one. */
function behind(d: Drawable, from: number, top: number, usual: number): Ground[] {
  const end = from + landingOf(d, usual);
  const isEnd = typeof d.landing === "number";
  return isEnd ? [[end, top], [end, 0]] : [[end, top]];
}

function heightmap(d: Drawable): BufferGeometry {
  const heights = (d.heights ?? [[0]]) as number[][];
  const [x, z] = (d.origin ?? [0, 0]) as Ground;
  const cell = Number(d.cell ?? 0.25);
  const columns = heights[0]?.length ?? 0;
  const height = heightOf([d]);
  const picked = (n: number): number[] => {
    const count = Math.min(n, MOST_HEIGHTS);
    return Array.from({ length: count }, (_, i) => ((n - 1) * i) / Math.max(count - 1, 1));
  };
  const rows = picked(heights.length).map((row) =>
    picked(columns).map((column): Point3 => {
      const place: Ground = [x + column * cell, z + row * cell];
      return [place[0], height(...place), place[1]];
    }),
  );
  return gridSurface(rows);
}

const MAKERS: Record<string, (d: Drawable) => BufferGeometry> = {
  cylinder,
  box,
  slope,
  stairs,
  heightmap,
};

/** The geometry of a solid or surface; null for other kinds. */
export function solidGeometry(drawable: Drawable): BufferGeometry | null {
  return MAKERS[drawable.kind]?.(drawable) ?? null;
}
