/** Points that move by themselves: markers, alone or over a body, coloured by a value. */
import { InstancedBufferAttribute, type BufferGeometry, Color, InstancedMesh, Matrix4, MeshLambertMaterial, SphereGeometry, Vector3 } from "three";
import type { Cloud } from "../model";

const NONE = 255;

export class CloudView {
  readonly mesh: InstancedMesh<BufferGeometry, MeshLambertMaterial>;
  private readonly ramp: Color[];
  private shown = -1;

  constructor(readonly cloud: Cloud) {
    const ball = new SphereGeometry(cloud.radius, 10, 8);
    this.mesh = new InstancedMesh(ball, new MeshLambertMaterial(), this.count);
    this.mesh.frustumCulled = false;
    this.ramp = cloud.ramp.map((color) => new Color(color));
    const colors = new Float32Array(this.count * 3).fill(1);
    this.mesh.instanceColor = new InstancedBufferAttribute(colors, 3);
    if (cloud.shift) this.mesh.position.set(...cloud.shift);
    this.show(0);
  }

  /** Number of points M. */
  get count(): number {
    return this.cloud.n > 0 ? this.cloud.steps.length / this.cloud.n : 0;
  }

  show(frame: number): void {
    const at = Math.min(Math.max(Math.round(frame), 0), this.cloud.n - 1);
    if (at === this.shown) return;
    this.shown = at;
    const matrix = new Matrix4();
    for (let i = 0; i < this.count; i++) {
      const place = this.placeOf(i, at);
      if (place) matrix.makeTranslation(place);
      else matrix.makeScale(0, 0, 0);
      this.mesh.setMatrixAt(i, matrix);
      const ink = this.ramp[this.cloud.steps[at * this.count + i] ?? 0];
      if (ink) this.mesh.setColorAt(i, ink);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  /** Where a point is in a frame, in its own world; null where there is none. */
  placeOf(i: number, frame = this.shown): Vector3 | null {
    const at = frame * this.count + i;
    if (this.cloud.steps[at] === NONE) return null;
    const { points } = this.cloud;
    return new Vector3(points[at * 3], points[at * 3 + 1], points[at * 3 + 2]);
  }

  /** Its points in some frames, in the scene. */
  landmarks(): Vector3[] {
    const out: Vector3[] = [];
    const step = Math.max(Math.floor(this.cloud.n / 60), 1);
    for (let frame = 0; frame < this.cloud.n; frame += step) {
      for (let i = 0; i < this.count; i++) {
        const place = this.placeOf(i, frame);
        if (place) out.push(place.add(this.mesh.position));
      }
    }
    return out;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
  }
}
