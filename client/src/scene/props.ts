/** The things drawn in the scene by id, with their words; some of them make the ground. */
import { Box3, Group, Vector3, type Object3D } from "three";
import type { Drawable } from "../model";
import type { Palette } from "./colors";
import { disposeDrawn, draw, type Drawn } from "./drawables";
import type { Labels } from "./labels";
import { heightOf, isSurface, type HeightOf } from "./terrain";

interface Prop {
  drawable: Drawable;
  drawn: Drawn;
}

export class Props {
  readonly group = new Group();
  /** Height of the ground. */
  height: HeightOf = () => 0;
  private readonly props = new Map<string, Prop>();
  private selected: string | null = null;

  constructor(
    private readonly labels: Labels,
    private palette: Palette,
    private readonly shiftOf: (who: string) => Vector3 | null,
  ) {}

  ids(prefix = ""): string[] {
    return [...this.props.keys()].filter((id) => id.startsWith(prefix));
  }

  get(id: string): Drawable | null {
    return this.props.get(id)?.drawable ?? null;
  }

  /** The object that a thing is drawn as, such as for a gizmo. */
  objectOf(id: string): Object3D | null {
    return this.props.get(id)?.drawn.object ?? null;
  }

  /** What the mouse may hit. */
  get handles(): Object3D[] {
    return [...this.props.values()].map(({ drawn }) => drawn.object);
  }

  /** What is walked on. */
  get surfaces(): Object3D[] {
    const made = [...this.props.values()].filter(({ drawable }) => isSurface(drawable));
    return made.map(({ drawn }) => drawn.object);
  }

  /** Add or replace; whether the ground is another now. */
  set(id: string, drawable: Drawable): boolean {
    const before = this.props.get(id)?.drawable;
    if (before && JSON.stringify(before) === JSON.stringify(drawable)) return false;
    this.drop(id);
    this.build(id, drawable);
    return this.reground(isSurface(drawable) || (before !== undefined && isSurface(before)));
  }

  remove(id: string): boolean {
    const before = this.props.get(id)?.drawable;
    if (!before) return false;
    this.drop(id);
    this.labels.remove(`prop/${id}`);
    return this.reground(isSurface(before));
  }

  select(id: string | null): void {
    const changed = [this.selected, id];
    this.selected = id;
    for (const one of changed) if (one !== null) this.rebuild(one);
  }

  paint(palette: Palette): void {
    this.palette = palette;
    for (const id of this.ids()) this.rebuild(id);
  }

  /** Where targets are, without solids and surfaces: they may be far larger than the motion. */
  landmarks(): Vector3[] {
    const out: Vector3[] = [];
    for (const { drawable, drawn } of this.props.values()) {
      if (!["ring", "point", "path", "note"].includes(drawable.kind)) continue;
      const box = new Box3().setFromObject(drawn.object);
      if (!box.isEmpty()) out.push(box.min, box.max);
    }
    return out;
  }

  private rebuild(id: string): void {
    const drawable = this.props.get(id)?.drawable;
    if (!drawable) return;
    this.drop(id);
    this.build(id, drawable);
  }

  private build(id: string, drawable: Drawable): void {
    const look = { palette: this.palette, height: this.height, selected: id === this.selected };
    const drawn = draw(drawable, look);
    const shift = typeof drawable.who === "string" ? this.shiftOf(drawable.who) : null;
    if (shift) drawn.object.position.add(shift);
    drawn.object.userData.id = id;
    this.group.add(drawn.object);
    this.props.set(id, { drawable, drawn });
    const { anchor } = drawn;
    if (!drawable.label || anchor === null) {
      this.labels.remove(`prop/${id}`);
      return;
    }
    const own = anchor === drawn.object.position;
    const place = (): Vector3 => (own || !shift ? anchor.clone() : anchor.clone().add(shift));
    this.labels.set(`prop/${id}`, drawable.label, place, drawable.kind === "ring" ? "ring" : "target");
  }

  private drop(id: string): void {
    const known = this.props.get(id);
    if (!known) return;
    this.group.remove(known.drawn.object);
    disposeDrawn(known.drawn);
    this.props.delete(id);
  }

  private reground(changed: boolean): boolean {
    if (!changed) return false;
    this.height = heightOf([...this.props.values()].map(({ drawable }) => drawable));
    for (const [id, { drawable }] of [...this.props]) if (!isSurface(drawable)) this.rebuild(id);
    return true;
  }
}
