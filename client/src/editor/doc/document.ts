/** A shot's document as it stands in its file. */

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
export type Path = (string | number)[];
export type Fields = { [key: string]: Value };

/** A time: seconds, text that names one, or in a span's constraints a percentage. */
export type When = number | string;

export interface SpanFields extends Fields {
  do: string;
}

export interface ShotDocument {
  shot?: number;
  fps?: number;
  seed?: number;
  library?: string;
  marks?: Record<string, Fields>;
  avoid?: Fields[];
  ground?: Fields[];
  cast?: Record<string, Fields | null>;
  tracks?: Record<string, SpanFields[]>;
  meet?: Fields[];
  joins?: Fields;
  [field: string]: unknown;
}

/** What is at a path, or undefined. */
export function at(doc: unknown, path: Path): Value | undefined {
  let value: unknown = doc;
  for (const key of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value as Value | undefined;
}

export const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((v) => typeof v === "number");

export const isTriple = (value: unknown): value is [number, number, number] =>
  Array.isArray(value) && value.length === 3 && value.every((v) => typeof v === "number");

export const spansOf = (doc: ShotDocument, who: string): SpanFields[] => doc.tracks?.[who] ?? [];

/** Whether two values are the same all through. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const one = a as Record<string, unknown>;
  const other = b as Record<string, unknown>;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => key in other && same(one[key], other[key]));
}
