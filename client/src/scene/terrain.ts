/** Height of the ground: what slopes, stairs and height maps add to level ground. */
import type { Drawable, Ground } from "../model";

/** Slopes that end nowhere are drawn this long, those without a width this wide, metres. */
export const SHOWN_LENGTH = 20;
export const SHOWN_WIDTH = 3;

/** Of what is level behind a slope or stairs, metres. */
export const landingOf = (d: Drawable, usual: number): number =>
  d.landing === undefined || d.landing === null ? usual : Number(d.landing);

export type HeightOf = (x: number, z: number) => number;

export function isSurface(drawable: Drawable): boolean {
  return ["heightmap", "slope", "stairs"].includes(drawable.kind);
}

/** How far ahead of its line and aside of its middle a place lies, in the incline's own axes. */
function seen(start: Ground, heading: number, x: number, z: number): [number, number] {
  const angle = (heading * Math.PI) / 180;
  const dx = x - start[0];
  const dz = z - start[1];
  const ahead = dx * Math.sin(angle) + dz * Math.cos(angle);
  return [ahead, dx * Math.cos(angle) - dz * Math.sin(angle)];
}

/** What rises by a law over a length, level behind it as far as its landing. */
function incline(d: Drawable, length: number, rise: (ahead: number) => number): HeightOf {
  const start = (d.start ?? [0, 0]) as Ground;
  const heading = Number(d.heading ?? 0);
  const half = d.width === undefined || d.width === null ? Infinity : Number(d.width) / 2;
  const end = length + landingOf(d, Infinity);
  return (x, z) => {
    const [ahead, aside] = seen(start, heading, x, z);
    return Math.abs(aside) <= half && ahead <= end ? rise(ahead) : 0;
  };
}

function slope(d: Drawable): HeightOf {
  const length = d.length === undefined || d.length === null ? Infinity : Number(d.length);
  const steep = Math.tan((Number(d.steepness ?? 0) * Math.PI) / 180);
  return incline(d, length, (ahead) => steep * Math.min(Math.max(ahead, 0), length));
}

function stairs(d: Drawable): HeightOf {
  const tread = Number(d.tread ?? 0.3);
  const steps = Number(d.steps ?? 1);
  const rise = Number(d.rise ?? 0.17);
  const climbed = (ahead: number): number => Math.min(Math.max(Math.floor(ahead / tread) + 1, 0), steps);
  return incline(d, tread * (steps - 1), (ahead) => rise * climbed(ahead));
}

function heightmap(d: Drawable): HeightOf {
  const heights = (d.heights ?? [[0]]) as number[][];
  const origin = (d.origin ?? [0, 0]) as Ground;
  const cell = Number(d.cell ?? 0.25);
  const rows = heights.length;
  const columns = heights[0]?.length ?? 0;
  return (x, z) => {
    const column = (x - origin[0]) / cell;
    const row = (z - origin[1]) / cell;
    if (column < 0 || row < 0 || column > columns - 1 || row > rows - 1) return 0;
    const i = Math.min(Math.floor(row), rows - 2);
    const j = Math.min(Math.floor(column), columns - 2);
    const at = (a: number, b: number): number => heights[a]?.[b] ?? 0;
    const v = row - i;
    const u = column - j;
    const near = at(i, j) * (1 - u) + at(i, j + 1) * u;
    const far = at(i + 1, j) * (1 - u) + at(i + 1, j + 1) * u;
    return near * (1 - v) + far * v;
  };
}

/** Height of the ground with some surfaces; they add up, so that stairs may lead to a slope. */
export function heightOf(surfaces: Iterable<Drawable>): HeightOf {
  const makers: Record<string, (d: Drawable) => HeightOf> = { slope, stairs, heightmap };
  const parts: HeightOf[] = [];
  for (const surface of surfaces) {
    const make = makers[surface.kind];
    if (make) parts.push(make(surface));
  }
  return (x, z) => parts.reduce((sum, part) => sum + part(x, z), 0);
}
