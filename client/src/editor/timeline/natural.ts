/** How natural frames are: what the strip under the lanes shows, and in words. */

import type { Naturalness, OddStretch, Series } from "../../net/messages";

/** Beyond this a moment is less natural than 99 of 100 captured ones. */
export const LIMIT = 1;
/** Feet that bear and slide so fast are beyond what can be, cm/s. */
const SLIDES = 15;

export interface Strip {
  label: "Naturalness" | "Skate";
  /** 0 is as usual in captures, `LIMIT` the limit; empty where nothing is measured. */
  values: Float32Array;
  /** Whether the values are of an older motion than the one that is shown. */
  isOld: boolean;
  /** What is said where there are no values. */
  missing: string;
}

/** What the strip shows: naturalness where it can be measured, else how feet slide. */
export function stripOf(
  series: Series | undefined, natural: Record<string, Naturalness> | null, who: string,
  isOld = false,
): Strip {
  const own = natural?.[who];
  if (own !== undefined) {
    return { label: "Naturalness", values: own.values, isOld: own.isOld === true, missing: "" };
  }
  if (natural === null || series?.skate === undefined) {
    return { label: "Naturalness", values: NONE, isOld: true, missing: "comes after the search" };
  }
  const values = series.skate.map((v) => (Number.isNaN(v) ? 0 : Math.max(0, v / SLIDES)));
  return { label: "Skate", values, isOld, missing: "" };
}

const NONE = new Float32Array();
/** Beyond so many times the limit nothing is told apart. */
const FAR = 5;

/** How much that is, in plain words. */
export function amount(value: number): string {
  if (value <= 0.005) return "as usual in the captures";
  if (value <= LIMIT) return `${(100 * value).toFixed(0)} % of the way from usual to the captures' limit`;
  if (value > FAR) return `more than ${String(FAR)} times the captures' limit`;
  return `${value.toFixed(1)} times the captures' limit`;
}

/** What is said of one frame. */
export function toldAt(strip: Strip, own: Naturalness | undefined, frame: number): string {
  const value = strip.values[frame];
  if (value === undefined) return strip.missing;
  if (strip.label === "Skate") {
    const when = strip.isOld ? "before the last change: " : "";
    return `${when}a foot that bears slides at ${(value * SLIDES).toFixed(0)} cm/s, the limit is ${String(SLIDES)}`;
  }
  const stretch = own?.stretches.find((one) => one.first <= frame && frame <= one.last);
  const why = stretch === undefined ? "" : `: ${stretch.words}`;
  return `${strip.isOld ? "before the last change: " : ""}${amount(value)}${why}`;
}

/** The least natural stretches, the worst first. */
export function leastNatural(own: Naturalness, most: number): OddStretch[] {
  return [...own.stretches].sort((a, b) => b.value - a.value).slice(0, most);
}

/** The worst frame around one: the worst of the strip, among these the farthest from what is asked. */
export function worstNear(
  values: Float32Array, error: Float32Array | undefined, frame: number, within: number,
): number {
  const count = Math.max(values.length, error?.length ?? 0);
  const bad = (i: number): number => {
    const far = error?.[i] ?? 0;
    return (values[i] ?? 0) + (Number.isNaN(far) ? 0 : 0.1 * far);
  };
  let worst = Math.max(0, Math.min(frame, count - 1));
  const last = Math.min(count - 1, frame + within);
  for (let i = Math.max(0, frame - within); i <= last; i++) {
    if (bad(i) > bad(worst) + 1e-6) worst = i;
  }
  return worst;
}
