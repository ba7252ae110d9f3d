/** How long it takes from a moved mouse to the picture of the new motion. */

import type { Stage } from "../scene";

/** Records a measure for every answered change of a drag when its picture has been drawn. */
export class Stopwatch {
  private pending: number[] = [];

  constructor(stage: Stage) {
    stage.onDraw(() => {
      if (this.pending.length === 0) return;
      const moved = this.pending;
      this.pending = [];
      requestAnimationFrame(() => {
        const now = performance.now();
        for (const start of moved) performance.measure("drag-to-motion", { start, end: now });
      });
    });
  }

  /** The motion of a change is in the stage; it is seen with the next picture. */
  answered(movedAt: number): void {
    performance.measure("drag-to-answer", { start: movedAt, end: performance.now() });
    this.pending.push(movedAt);
  }
}
