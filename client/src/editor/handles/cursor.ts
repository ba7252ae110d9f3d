/** A place on the ground that is moved by keys, for who has no mouse. */

import { Vector3 } from "three";
import type { Stage } from "../../scene";
import { rounded } from "../doc/times";

/** By a press, and with Shift, metres. */
const STEP = 0.1;
const STRIDE = 0.5;
const ID = "cursor/ground";
const WAYS: Record<string, [number, number]> = {
  ...{ ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] },
};

/** Ahead and to the right as the camera looks, along the nearest axes of the ground. */
export function alongView(stage: Stage, ahead: number, right: number): [number, number] {
  const look = stage.rig.camera.getWorldDirection(new Vector3());
  const isAlongX = Math.abs(look.x) > Math.abs(look.z);
  const x = isAlongX ? Math.sign(look.x) : 0;
  const z = isAlongX ? 0 : Math.sign(look.z) || 1;
  return [ahead * x - right * z, ahead * z + right * x];
}

export interface CursorTools {
  stage: Stage;
  /** Where it begins. */
  start: () => [number, number];
  place: (at: Vector3) => void;
  say: (text: string) => void;
}

export class GroundCursor {
  private at: [number, number] | null = null;

  constructor(private readonly tools: CursorTools) {
    const { canvas } = tools.stage;
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.press(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    canvas.addEventListener("blur", () => { this.hide(); });
  }

  /** Take a key; whether it was one of these. */
  private press(event: KeyboardEvent): boolean {
    if (event.key === "Enter") {
      if (this.at === null) this.move(this.tools.start());
      else this.tools.place(new Vector3(this.at[0], 0, this.at[1]));
      return true;
    }
    if (this.at === null) return false;
    if (event.key === "Escape") {
      this.hide();
      return true;
    }
    const way = WAYS[event.key];
    if (way === undefined) return false;
    const step = event.shiftKey ? STRIDE : STEP;
    const [x, z] = alongView(this.tools.stage, step * way[0], step * way[1]);
    this.move([this.at[0] + x, this.at[1] + z]);
    return true;
  }

  private move(to: [number, number]): void {
    this.at = [rounded(to[0]), rounded(to[1])];
    const [x, z] = this.at;
    const label = `${x.toFixed(1)}, ${z.toFixed(1)}: Enter places`;
    const ring = { kind: "ring", position: this.at, label } as const;
    this.tools.stage.setDrawables(new Map([[ID, ring]]), "cursor/");
    this.tools.say(`x ${x.toFixed(1)}, z ${z.toFixed(1)} metres`);
  }

  private hide(): void {
    if (this.at === null) return;
    this.at = null;
    this.tools.stage.setDrawables(new Map(), "cursor/");
  }
}
