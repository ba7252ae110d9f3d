/** Lines that the feet and hands draw in the air around the present. */
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, type Color } from "three";
import { forward, newWorldPose, type WorldPose } from "../kinematics";
import type { Character } from "../model";
import type { LocalPose, Track } from "../track";
import { tintsOf } from "./colors";

/** Seconds before and after the present. */
const SPAN = 1.2;
const MOST = 160;
const ROLES = ["left_foot", "right_foot", "left_hand", "right_hand"];

export class FootTraces {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly joints: number[];
  private readonly colors: Color[];
  private pose: LocalPose | null = null;
  private readonly world: WorldPose;

  constructor(private readonly character: Character) {
    const present = ROLES.map((role) => character.roles[role]).filter((j) => j !== undefined);
    this.joints = present;
    const [middle, left, right] = tintsOf(character);
    this.colors = present.map((joint) => {
      const side = character.sides[joint] ?? 0;
      return side > 0 ? left : side < 0 ? right : middle;
    });
    this.world = newWorldPose(character.parents.length);
    const size = MOST * 2 * present.length;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(size * 3), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(size * 4), 4));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }

  show(track: Track, frame: number): void {
    if (!this.lines.visible) return;
    const step = Math.max((2 * SPAN * track.fps) / MOST, 1);
    const first = Math.max(frame - SPAN * track.fps, 0);
    const last = Math.min(frame + SPAN * track.fps, track.total - 1);
    this.pose = this.pose?.moves.length === track.moved.length * 3 ? this.pose : track.newPose();
    let before: Float32Array | null = null;
    let vertex = 0;
    for (let at = first; at <= last; at += step) {
      track.sample(at, this.pose);
      forward(this.character, this.pose, track.moved, this.world);
      if (before) vertex = this.segment(before, at, frame, vertex, SPAN * track.fps);
      before = this.world.positions.slice();
    }
    this.lines.geometry.setDrawRange(0, vertex);
    for (const name of ["position", "color"]) {
      const attribute = this.lines.geometry.getAttribute(name);
      attribute.needsUpdate = true;
    }
  }

  /** One piece of every line; it fades away from the present. */
  private segment(before: Float32Array, at: number, now: number, vertex: number, span: number): number {
    const place = this.lines.geometry.getAttribute("position");
    const color = this.lines.geometry.getAttribute("color");
    const alpha = 0.9 * Math.max(1 - Math.abs(at - now) / span, 0);
    this.joints.forEach((joint, k) => {
      const { r, g, b } = this.colors[k] as Color;
      for (const from of [before, this.world.positions]) {
        if (vertex >= place.count) return;
        place.setXYZ(vertex, from[joint * 3] ?? 0, from[joint * 3 + 1] ?? 0, from[joint * 3 + 2] ?? 0);
        color.setXYZW(vertex, r, g, b, alpha);
        vertex++;
      }
    });
    return vertex;
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
