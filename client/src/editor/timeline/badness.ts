/** How bad frames are, from what is known of them. */

import type { Series } from "../../net/messages";

/** A pose that so few captured ones are less likely than is doubtful. */
const RARE = 0.1;
/** Feet that bear and slide so fast are as bad as can be, cm/s. */
const SLIDES = 15;

export interface Badness {
  label: string;
  values: Float32Array;
}

/** Of naturalness where it was measured, else of how feet slide; 0 to 1. */
export function badnessOf(series: Series): Badness {
  const { naturalness, skate } = series;
  if (naturalness !== undefined && naturalness.length > 0) {
    return { label: "Natural", values: naturalness.map((v) => inside((RARE - v) / RARE)) };
  }
  const values = (skate ?? new Float32Array()).map((v) => inside(v / SLIDES));
  return { label: "Skate", values };
}

const inside = (value: number): number => (Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value)));

/** The worst frame around one: the worst of the strip, among these the farthest from what is asked. */
export function worstNear(series: Series, frame: number, within: number): number {
  const { values } = badnessOf(series);
  const { error } = series;
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
