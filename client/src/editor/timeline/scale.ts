/** From seconds to pixels of the timeline, and back. */

/** Pixels of a second: least and most. */
const LEAST = 2;
const MOST = 400;
/** Free room behind the last frame, seconds. */
export const ROOM = 2;
/** Steps between ticks that people read well, seconds. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300];

export class Scale {
  perSecond = 80;

  x(seconds: number): number {
    return seconds * this.perSecond;
  }

  seconds(x: number): number {
    return x / this.perSecond;
  }

  zoom(factor: number): void {
    this.perSecond = Math.min(Math.max(this.perSecond * factor, LEAST), MOST);
  }

  fit(duration: number, width: number): void {
    this.perSecond = Math.min(Math.max(width / Math.max(duration + ROOM / 4, 0.5), LEAST), MOST);
  }

  /** Seconds between labelled ticks that are at least so many pixels apart. */
  step(pixels = 64): number {
    return STEPS.find((step) => this.x(step) >= pixels) ?? 600;
  }
}

/** The nearest of some times, where one is near enough; else the time itself. */
export function snapped(time: number, times: readonly number[], within: number): number {
  let best = time;
  let least = within;
  for (const one of times) {
    const far = Math.abs(one - time);
    if (far < least) {
      least = far;
      best = one;
    }
  }
  return best;
}
