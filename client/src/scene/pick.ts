/** What lies under the mouse: joints, bodies, drawn things, the ground. */
import { Plane, Raycaster, Vector2, Vector3, type Object3D, type PerspectiveCamera } from "three";
import type { Figure } from "./figure";

export type Hit =
  | { kind: "joint"; who: string; joint: number; name: string; point: Vector3 }
  | { kind: "body"; who: string; point: Vector3 }
  | { kind: "drawable"; id: string; point: Vector3 }
  | { kind: "ground"; point: Vector3 };

/** How near (pixels) the mouse must be to a joint, and to a bone of a body. */
const NEAR_JOINT = 13;
const NEAR_BONE = 18;

/** Places on the canvas, in pixels from its top left corner, and back. */
export class Picker {
  private readonly caster = new Raycaster();
  private readonly plane = new Plane(new Vector3(0, 1, 0), 0);

  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly element: HTMLElement,
  ) {}

  /** Pixels on the canvas of a place in the world; z above 1 is behind the camera. */
  project(place: Vector3): Vector3 {
    const at = place.clone().project(this.camera);
    const { clientWidth: w, clientHeight: h } = this.element;
    return new Vector3(((at.x + 1) / 2) * w, ((1 - at.y) / 2) * h, at.z);
  }

  /** Aim the ray through a place of the window (`clientX`, `clientY` of an event). */
  aim(clientX: number, clientY: number): Raycaster {
    const box = this.element.getBoundingClientRect();
    const at = new Vector2(
      ((clientX - box.left) / box.width) * 2 - 1,
      1 - ((clientY - box.top) / box.height) * 2,
    );
    this.caster.setFromCamera(at, this.camera);
    return this.caster;
  }

  /** Where the ray meets level ground at a height; null towards the sky. */
  level(clientX: number, clientY: number, height = 0): Vector3 | null {
    this.plane.constant = -height;
    return this.aim(clientX, clientY).ray.intersectPlane(this.plane, new Vector3());
  }

  /** Where the ray meets surfaces, else level ground; null towards the sky. */
  ground(clientX: number, clientY: number, surfaces: Object3D[]): Vector3 | null {
    const [first] = this.aim(clientX, clientY).intersectObjects(surfaces, true);
    return first?.point ?? this.level(clientX, clientY);
  }

  /** The drawn things that the ray meets, nearest first, by the id in their `userData`. */
  drawables(clientX: number, clientY: number, objects: Object3D[]): Hit[] {
    const found = new Map<string, Vector3>();
    for (const { object, point } of this.aim(clientX, clientY).intersectObjects(objects, true)) {
      const id = idOf(object);
      if (id !== null && !found.has(id)) found.set(id, point);
    }
    return [...found].map(([id, point]) => ({ kind: "drawable", id, point }));
  }

  /** The joint nearest to a place of the window. */
  joint(clientX: number, clientY: number, figures: Iterable<Figure>): Hit | null {
    const box = this.element.getBoundingClientRect();
    const mouse = new Vector2(clientX - box.left, clientY - box.top);
    let best: Hit | null = null;
    let least = NEAR_JOINT;
    for (const figure of figures) {
      if (!figure.group.visible) continue;
      figure.character.names.forEach((name, joint) => {
        const point = figure.jointAt(joint);
        const at = this.project(point);
        const away = Math.hypot(at.x - mouse.x, at.y - mouse.y);
        if (at.z > 1 || away >= least) return;
        least = away;
        best = { kind: "joint", who: figure.character.id, joint, name, point };
      });
    }
    return best;
  }

  /** The body one of whose bones is nearest to a place of the window. */
  body(clientX: number, clientY: number, figures: Iterable<Figure>): Hit | null {
    const box = this.element.getBoundingClientRect();
    const mouse = new Vector2(clientX - box.left, clientY - box.top);
    let best: Hit | null = null;
    let least = NEAR_BONE;
    for (const figure of figures) {
      if (!figure.group.visible) continue;
      figure.character.parents.forEach((parent, joint) => {
        if (parent < 0) return;
        const point = figure.jointAt(joint);
        const away = segmentDistance(mouse, this.project(figure.jointAt(parent)), this.project(point));
        if (away >= least) return;
        least = away;
        best = { kind: "body", who: figure.character.id, point };
      });
    }
    return best;
  }
}

function idOf(object: Object3D): string | null {
  let at: Object3D | null = object;
  while (at) {
    const { id } = at.userData as { id?: unknown };
    if (typeof id === "string") return id;
    at = at.parent;
  }
  return null;
}

function segmentDistance(p: Vector2, a: Vector3, b: Vector3): number {
  if (a.z > 1 || b.z > 1) return Infinity;
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const t = square > 0 ? Math.min(Math.max(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0), 1) : 0;
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}
