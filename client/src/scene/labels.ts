/** Words that stay beside places of the scene: names of joints, times of targets. */
import { Vector3, type PerspectiveCamera } from "three";
import { declutter } from "./declutter";

interface Label {
  element: HTMLElement;
  place: () => Vector3 | null;
  /** Whether it makes way for others. */
  isShy: boolean;
  /** Width and height, pixels, when they were last measured. */
  size: [number, number] | null;
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
    const { element, size } = this.labels.get(id) ?? this.added();
    const isSame = element.textContent === text;
    const name = `label label-${kind}`;
    if (element.className !== name) element.className = name;
    if (!isSame) element.textContent = text;
    const isShy = kind === "target" || kind === "ring";
    this.labels.set(id, { element, place, isShy, size: isSame ? size : null });
  }

  private added(): Pick<Label, "element" | "size"> {
    const element = document.createElement("span");
    this.layer.append(element);
    return { element, size: null };
  }

  remove(id: string): void {
    this.labels.get(id)?.element.remove();
    this.labels.delete(id);
  }

  /** Remove all whose id begins so. */
  removeAll(prefix: string): void {
    for (const id of [...this.labels.keys()]) if (id.startsWith(prefix)) this.remove(id);
  }

  /** Move every label to where its place is seen; targets' words make way for each other. */
  update(camera: PerspectiveCamera, width: number, height: number): void {
    const shy: { label: Label; x: number; y: number }[] = [];
    for (const label of this.labels.values()) {
      const { element, place } = label;
      const at = place()?.project(camera);
      const seen = at !== undefined && at.z < 1 && Math.abs(at.x) < 1.1 && Math.abs(at.y) < 1.1;
      if (!label.isShy || !seen) show(element, seen);
      if (!seen) continue;
      const x = ((at.x + 1) / 2) * width;
      const y = ((1 - at.y) / 2) * height;
      if (label.isShy) shy.push({ label, x, y });
      else move(element, x, y);
    }
    const boxes = shy.map(({ label, x, y }) => {
      if (label.size === null) {
        show(label.element, true);
        label.size = [label.element.offsetWidth, label.element.offsetHeight];
      }
      return { x, y, width: label.size[0], height: label.size[1] };
    });
    declutter(boxes).forEach((shift, i) => {
      const { label, x, y } = shy[i] as (typeof shy)[0];
      show(label.element, shift !== null);
      if (shift !== null) move(label.element, x, y + shift);
    });
  }
}

function move(element: HTMLElement, x: number, y: number): void {
  const moved = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  if (element.style.transform !== moved) element.style.transform = moved;
}

function show(element: HTMLElement, isShown: boolean): void {
  if (element.hidden === isShown) element.hidden = !isShown;
}
