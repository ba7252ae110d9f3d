/** Who jumps to another time sees the character there. */

import type { Stage } from "../scene";
import type { Store } from "./store";

/** From this near to its edge, a share of the picture's width or height, it is seen badly. */
const EDGE = 0.06;

/** Whether a place of a picture, pixels, is in it. */
export function isInside(x: number, y: number, width: number, height: number): boolean {
  const [left, top] = [EDGE * width, EDGE * height];
  return x > left && x < width - left && y > top && y < height - top;
}

/** Bring the open character into sight where the playhead jumped by a second or more. */
export function keepInSight(stage: Stage, store: Store): void {
  store.on(["frame"], ({ frame, who, isPlaying, isDragging }, before) => {
    const isJump = Math.abs(frame - before.frame) >= store.fps;
    const figure = isJump && !isPlaying && !isDragging ? stage.figures.get(who ?? "") : undefined;
    if (!figure?.track || stage.rig.following) return;
    const seen = stage.picker.project(figure.center);
    const { clientWidth: width, clientHeight: height } = stage.canvas;
    if (seen.z < 1 && isInside(seen.x, seen.y, width, height)) return;
    stage.rig.follow(() => figure.center);
    stage.follow(null);
  });
}
