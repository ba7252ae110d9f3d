/** Names of joints and markers: all of them, or that under the mouse. */
import { Vector3 } from "three";
import type { CloudView } from "../scene/cloud";
import type { Stage } from "../scene/stage";

/** Markers are named when the mouse is this near, pixels. */
const NEAR = 12;

export class JointNames {
  private shown = false;

  constructor(
    private readonly stage: Stage,
    private readonly clouds: readonly CloudView[],
  ) {
    stage.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) this.hover(event.clientX, event.clientY);
    });
    stage.canvas.addEventListener("pointerleave", () => {
      this.unhover();
    });
  }

  showAll(shown: boolean): void {
    this.shown = shown;
    this.stage.labels.removeAll("name/");
    if (shown) {
      this.eachJoint((who, joint, name, place) => {
        this.stage.labels.set(`name/${who}/${String(joint)}`, name, place, "name");
      });
    }
    this.stage.invalidate();
  }

  private eachJoint(act: (who: string, joint: number, name: string, place: () => Vector3 | null) => void): void {
    for (const figure of this.stage.figures.values()) {
      figure.character.names.forEach((name, joint) => {
        act(figure.character.id, joint, name, () => figure.jointAt(joint));
      });
    }
    for (const view of this.clouds) {
      view.cloud.labels.forEach((name, i) => {
        act(view.cloud.id, i, name, () => view.placeOf(i)?.add(view.mesh.position) ?? null);
      });
    }
  }

  private hover(x: number, y: number): void {
    if (this.shown) return;
    const [first] = this.stage.pick(x, y);
    if (first?.kind === "joint") {
      const { who, joint } = first;
      const figure = this.stage.figures.get(who);
      const place = (): Vector3 | null => figure?.jointAt(joint) ?? null;
      this.stage.labels.set("hover", first.name, place, "name");
    } else if (!this.hoverMarker(x, y)) {
      this.unhover();
      return;
    }
    this.stage.invalidate();
  }

  private hoverMarker(x: number, y: number): boolean {
    const box = this.stage.canvas.getBoundingClientRect();
    let found = false;
    let least = NEAR;
    this.eachJoint((_, __, name, place) => {
      const world = place();
      if (!world) return;
      const at = this.stage.picker.project(world);
      const away = Math.hypot(at.x - (x - box.left), at.y - (y - box.top));
      if (at.z > 1 || away >= least) return;
      least = away;
      found = true;
      this.stage.labels.set("hover", name, place, "name");
    });
    return found;
  }

  private unhover(): void {
    this.stage.labels.remove("hover");
    this.stage.invalidate();
  }
}
