/** Who is chosen stays in the picture: always with Follow, else after a jump in time. */

import type { PerspectiveCamera, Vector3 } from "three";
import type { Playback } from "../../playback";
import type { Stage } from "../../scene";
import type { Store } from "../store";

/** Shares of the picture's halves in which somebody's middle may be before the camera moves. */
const WIDE = 0.8;
const HIGH = 0.6;
/** Share of the way to the middle of the picture that the camera moves at a time, and how often. */
const STEP = 0.1;
const MOST = 40;

/** Move a camera over the ground, no farther than needed, until a place is well in the picture. */
export function keepInSight(camera: PerspectiveCamera, target: Vector3, place: Vector3): boolean {
  for (let i = 0; i < MOST; i++) {
    camera.updateMatrixWorld();
    const at = place.clone().project(camera);
    if (at.z < 1 && Math.abs(at.x) < WIDE && Math.abs(at.y) < HIGH) return i > 0;
    const way = place.clone().sub(target).setY(0).multiplyScalar(at.z < 1 ? STEP : 1);
    target.add(way);
    camera.position.add(way);
  }
  return true;
}

export class Sight {
  /** Whether the chosen character stays in the picture while it moves. */
  isFollowing = true;
  private frame = 0;

  constructor(
    private readonly stage: Stage, private readonly store: Store, playback: Playback,
  ) {
    stage.onDraw(() => {
      if (this.isFollowing && !store.now.isDragging && playback.playing) this.keep();
    });
    playback.onFrame((frame) => {
      const far = Math.abs(frame - this.frame);
      this.frame = frame;
      if (!playback.playing && (far > 1.5 || this.isFollowing)) this.keep();
    });
  }

  toggle(): boolean {
    this.isFollowing = !this.isFollowing;
    if (this.isFollowing) this.keep();
    return this.isFollowing;
  }

  private keep(): void {
    const { stage } = this;
    const figure = stage.figures.get(this.store.now.who ?? "");
    if (!figure?.track) return;
    if (keepInSight(stage.rig.camera, stage.rig.target, figure.center)) stage.invalidate();
  }
}
