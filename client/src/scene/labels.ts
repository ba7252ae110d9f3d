/** Words that stay beside places of the scene: names of joints, times of targets. */
import { Vector3, type PerspectiveCamera } from "three";

interface Label {
  element: HTMLElement;
  place: () => Vector3 | null;
}

export class Labels {
  readonly layer: HTMLElement;
  private readonly labels = new Map<string, Label>();

  constructor(parent: HTMLElement) {
    this.layer = document.createElement("div");
    this.layer.className = "labels";
    this.layer.setAttribute("aria-hidden", "true");
    parent.append(this.layer);
  }

  /** Write `text` at a place that may move; again with the same id replaces it. */
  set(id: string, text: string, place: () => Vector3 | null, kind = "target"): void {
    const known = this.labels.get(id);
    const element = known?.element ?? document.createElement("span");
    const name = `label label-${kind}`;
    if (element.className !== name) element.className = name;
    if (element.textContent !== text) element.textContent = text;
    if (!known) this.layer.append(element);
    this.labels.set(id, { element, place });
  }

  remove(id: string): void {
    this.labels.get(id)?.element.remove();
    this.labels.delete(id);
  }

  /** Remove all whose id begins so. */
  removeAll(prefix: string): void {
    for (const id of [...this.labels.keys()]) if (id.startsWith(prefix)) this.remove(id);
  }

  /** Move every label to where its place is seen. */
  update(camera: PerspectiveCamera, width: number, height: number): void {
    for (const { element, place } of this.labels.values()) {
      const at = place()?.project(camera);
      const seen = at !== undefined && at.z < 1 && Math.abs(at.x) < 1.1 && Math.abs(at.y) < 1.1;
      if (element.hidden === seen) element.hidden = !seen;
      if (!seen) continue;
      const x = ((at.x + 1) / 2) * width;
      const y = ((1 - at.y) / 2) * height;
      const moved = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      if (element.style.transform !== moved) element.style.transform = moved;
    }
  }
}
