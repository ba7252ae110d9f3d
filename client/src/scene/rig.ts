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
  private size: [number, number] = [1280, 720];

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

  /** See some places, from a direction (azimuth from +Z towards +X and elevation, degrees). */
  fit(places: readonly Vector3[], direction?: [number, number]): void {
    if (places.length === 0) return;
    const [azimuth, elevation] = direction ?? this.direction();
    const [a, e] = [MathUtils.degToRad(azimuth), MathUtils.degToRad(elevation)];
    const towards = new Vector3(Math.cos(e) * Math.sin(a), Math.sin(e), Math.cos(e) * Math.cos(a));
    const up = Math.abs(towards.y) > 0.99 ? new Vector3(0, 0, -1) : new Vector3(0, 1, 0);
    const across = new Vector3().crossVectors(up, towards).normalize();
    const upwards = new Vector3().crossVectors(towards, across);
    const middle = new Box3().setFromPoints([...places]).getCenter(new Vector3());
    let distance = this.distanceFor(places, middle, [across, upwards, towards]);
    for (let round = 0; round < 3; round++) {
      this.centre(places, middle, distance, [across, upwards, towards]);
      distance = this.distanceFor(places, middle, [across, upwards, towards]);
    }
    this.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(towards, distance);
    this.last = this.followed?.() ?? null;
    this.controls.update();
  }

  look(view: View, places: readonly Vector3[]): void {
    this.fit(places, VIEWS[view]);
  }

  resize(width: number, height: number): void {
    this.size = [width, height];
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

  /** Tangents of half the angles that panels leave free, sideways and upwards. */
  private get tangents(): [number, number] {
    const [left, top, right, bottom] = this.inset;
    const tan = Math.tan(MathUtils.degToRad(FOV) / 2);
    const wide = Math.max(1 - (left + right) / this.size[0], 0.3);
    const high = Math.max(1 - (top + bottom) / this.size[1], 0.3);
    return [tan * this.camera.aspect * wide, tan * high];
  }

  /** Least distance at which all places are in the picture, with some air. */
  private distanceFor(places: readonly Vector3[], middle: Vector3, axes: [Vector3, Vector3, Vector3]): number {
    const [wide, high] = this.tangents;
    let most = 1;
    for (const place of places) {
      const from = place.clone().sub(middle);
      const x = Math.abs(from.dot(axes[0])) / wide;
      const y = Math.abs(from.dot(axes[1])) / high;
      most = Math.max(most, 1.08 * Math.max(x, y) + from.dot(axes[2]));
    }
    return Math.min(most, 120);
  }

  /** Shift the middle so that the places are as far from the left as from the right, and so upwards. */
  private centre(
    places: readonly Vector3[],
    middle: Vector3,
    distance: number,
    axes: [Vector3, Vector3, Vector3],
  ): void {
    for (const axis of [axes[0], axes[1]]) {
      let [low, high] = [Infinity, -Infinity];
      for (const place of places) {
        const from = place.clone().sub(middle);
        const share = from.dot(axis) / Math.max(distance - from.dot(axes[2]), 0.1);
        low = Math.min(low, share);
        high = Math.max(high, share);
      }
      middle.addScaledVector(axis, ((low + high) / 2) * distance);
    }
  }
}
