/** Balls on hands, feet and head of the open character, and axes on what is chosen. */

import {
  ArrowHelper, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3,
} from "three";
import type { Stage } from "../../scene";

/** Roles that can be dragged. */
export const DRAGGED = ["left_hand", "right_hand", "left_foot", "right_foot", "head"];
/** Colours that the colour-blind tell apart; each axis has its letter, too. */
const AXES: [string, Vector3, number][] = [
  ["x", new Vector3(1, 0, 0), 0xd55e00],
  ["y", new Vector3(0, 1, 0), 0x009e73],
  ["z", new Vector3(0, 0, 1), 0x0072b2],
];
const LENGTH = 0.28;

export class JointHandles {
  private readonly balls = new Map<string, Mesh<SphereGeometry, MeshBasicMaterial>>();
  private readonly axes = new Group();
  private axesAt: Vector3 | null = null;
  who: string | null = null;
  isShown = true;

  constructor(private readonly stage: Stage) {
    for (const role of DRAGGED) {
      const material = new MeshBasicMaterial({
        ...{ color: 0xf0b400, transparent: true, opacity: 0.75, depthTest: false },
      });
      const ball = new Mesh(new SphereGeometry(0.035, 14, 10), material);
      ball.renderOrder = 5;
      this.balls.set(role, ball);
      stage.scene.add(ball);
    }
    for (const [, way, color] of AXES) {
      const arrow = new ArrowHelper(way, new Vector3(), LENGTH, color, 0.07, 0.045);
      arrow.renderOrder = 6;
      this.axes.add(arrow);
    }
    this.axes.visible = false;
    stage.scene.add(this.axes);
    stage.onDraw(() => { this.update(); });
  }

  /** Where a role's joint is now, if the open character has it. */
  place(role: string): Vector3 | null {
    const figure = this.who === null ? undefined : this.stage.figures.get(this.who);
    const joint = figure?.character.roles[role];
    return figure === undefined || joint === undefined ? null : figure.jointAt(joint);
  }

  /** Put axes on a point, or nowhere. */
  setAxes(at: Vector3 | null): void {
    this.axesAt = at;
    this.axes.visible = at !== null;
    if (at !== null) this.axes.position.copy(at);
    for (const [name, way] of AXES) {
      const place = (): Vector3 | null =>
        this.axesAt?.clone().addScaledVector(way, LENGTH * 1.1) ?? null;
      if (at === null) this.stage.labels.remove(`axis/${name}`);
      else this.stage.labels.set(`axis/${name}`, name, place, "axis");
    }
    this.stage.invalidate();
  }

  /** Ends of the axes that are shown, by their names. */
  get tips(): [string, Vector3][] {
    const from = this.axesAt;
    if (from === null) return [];
    return AXES.map(([name, way]) => [name, from.clone().addScaledVector(way, LENGTH)]);
  }

  /** The axis under a place on the canvas. */
  axisUnder(x: number, y: number): Vector3 | null {
    const from = this.axesAt;
    if (from === null) return null;
    const found = AXES.find(([, way]) => {
      const tip = this.stage.picker.project(from.clone().addScaledVector(way, LENGTH));
      const middle = this.stage.picker.project(from.clone().addScaledVector(way, LENGTH * 0.6));
      return [tip, middle].some((at) => Math.hypot(at.x - x, at.y - y) < 11);
    });
    return found?.[1] ?? null;
  }

  private update(): void {
    for (const [role, ball] of this.balls) {
      const at = this.isShown ? this.place(role) : null;
      ball.visible = at !== null;
      if (at !== null) ball.position.copy(at);
    }
  }
}
