/** The camera: orbits, follows, and finds the distance from which all is seen. */
import { Box3, MathUtils, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export type View = "front" | "back" | "left" | "right" | "top" | "free";

const FOV = 35;
/** Directions from which named views look, as [azimuth, elevation] in degrees; 0 is +Z. */
const VIEWS: Record<View, [number, number]> = {
  front: [0, 8],
  back: [180, 8],
  left: [90, 8],
  right: [-90, 8],
  top: [0, 89.9],
  free: [38, 18],
};

export class CameraRig {
  readonly camera = new PerspectiveCamera(FOV, 16 / 9, 0.05, 600);
  readonly controls: OrbitControls;
  /** Pixels at the window's edges that panels cover: left, top, right, bottom. */
  inset: [number, number, number, number] = [0, 0, 0, 0];
  private followed: (() => Vector3 | null) | null = null;
  private last: Vector3 | null = null;

  constructor(element: HTMLElement, changed: () => void) {
    this.camera.position.set(2.6, 1.9, 4);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.target.set(0, 0.9, 0);
    this.controls.maxPolarAngle = MathUtils.degToRad(93);
    this.controls.minDistance = 0.4;
    this.controls.maxDistance = 150;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", changed);
    this.controls.update();
  }

  get target(): Vector3 {
    return this.controls.target;
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** Keep a moving place where it is in the picture; null stops. */
  follow(place: (() => Vector3 | null) | null): void {
    this.followed = place;
    this.last = null;
    const at = place?.();
    if (!at) return;
    const target = at.clone().setY(this.target.y);
    this.moveBy(target.sub(this.target));
    this.last = at;
  }

  get following(): boolean {
    return this.followed !== null;
  }

  /** To be called before every picture. */
  advance(): void {
    const at = this.followed?.();
    if (!at) return;
    if (this.last) this.moveBy(at.clone().sub(this.last).setY(0));
    this.last = at;
  }

  /** Look at what a box holds, from a direction (azimuth from +Z towards +X and elevation, degrees). */
  fit(box: Box3, direction?: [number, number]): void {
    if (box.isEmpty()) return;
    const [azimuth, elevation] = direction ?? this.direction();
    const [a, e] = [MathUtils.degToRad(azimuth), MathUtils.degToRad(elevation)];
    const middle = box.getCenter(new Vector3());
    const towards = new Vector3(Math.cos(e) * Math.sin(a), Math.sin(e), Math.cos(e) * Math.cos(a));
    const distance = this.distanceFor(box, middle, towards);
    this.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(towards, distance);
    this.last = this.followed?.() ?? null;
    this.controls.update();
  }

  look(view: View, box: Box3): void {
    this.fit(box, VIEWS[view]);
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    const [left, top, right, bottom] = this.inset;
    // What panels cover is no place for the middle of the picture.
    if (left || top || right || bottom) {
      this.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
    } else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }

  /** Azimuth and elevation from which the camera looks now, degrees. */
  private direction(): [number, number] {
    const from = this.camera.position.clone().sub(this.target).normalize();
    return [MathUtils.radToDeg(Math.atan2(from.x, from.z)), MathUtils.radToDeg(Math.asin(from.y))];
  }

  private moveBy(way: Vector3): void {
    this.target.add(way);
    this.camera.position.add(way);
  }

  /** Least distance at which all corners of a box are in the picture, with some air. */
  private distanceFor(box: Box3, middle: Vector3, towards: Vector3): number {
    const up = Math.abs(towards.y) > 0.99 ? new Vector3(0, 0, -1) : new Vector3(0, 1, 0);
    const across = new Vector3().crossVectors(up, towards).normalize();
    const upwards = new Vector3().crossVectors(towards, across);
    const tan = Math.tan(MathUtils.degToRad(FOV) / 2);
    let most = 1;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(
        i & 1 ? box.max.x : box.min.x,
        i & 2 ? box.max.y : box.min.y,
        i & 4 ? box.max.z : box.min.z,
      ).sub(middle);
      const wide = Math.abs(corner.dot(across)) / (tan * Math.max(this.camera.aspect, 0.5));
      const high = Math.abs(corner.dot(upwards)) / tan;
      most = Math.max(most, Math.max(wide, high) * 1.12 + corner.dot(towards));
    }
    return Math.min(most + 0.5, 120);
  }
}
