/** The world on a canvas: characters, what is drawn around them, the camera, and what the mouse hits.
 *
 * const stage = new Stage(parent);
 * stage.addCharacter(character); stage.setMotion(part); stage.attach(playback);
 * stage.setDrawable("key:3", { kind: "ring", position: [1, 2], facing: 30 });
 * stage.pick(event.clientX, event.clientY);
 */
import { type Scene, type Vector3 } from "three";
import type { Character, Drawable, MotionPart } from "../model";
import type { Playback } from "../playback";
import type { Track } from "../track";
import type { CloudView } from "./cloud";
import { PALETTES, preferredScheme, type Palette, type Scheme } from "./colors";
import { Figure, middleOf } from "./figure";
import { GroundGrid } from "./ground";
import { Labels } from "./labels";
import { Picker, type Hit } from "./pick";
import { Props } from "./props";
import { Painter } from "./renderer";
import { CameraRig } from "./rig";

export interface StageOptions {
  scheme?: Scheme;
  maxPixelRatio?: number;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly labels: Labels;
  readonly rig: CameraRig;
  readonly picker: Picker;
  readonly props: Props;
  readonly figures = new Map<string, Figure>();
  private readonly clouds = new Set<CloudView>();
  private readonly painter: Painter;
  private readonly ground: GroundGrid;
  private readonly hooks = new Set<() => void>();
  private readonly watcher: ResizeObserver;
  private playback: Playback | null = null;
  private detach: (() => void) | null = null;
  private asked = 0;
  private lastTick = 0;
  private shownFrame = 0;
  private shownScheme: Scheme;

  constructor(
    readonly parent: HTMLElement,
    options: StageOptions = {},
  ) {
    this.shownScheme = options.scheme ?? preferredScheme();
    this.canvas = document.createElement("canvas");
    this.canvas.className = "stage";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "the scene; drag to look around, scroll to come nearer");
    parent.append(this.canvas);
    this.painter = new Painter(this.canvas, options.maxPixelRatio);
    this.labels = new Labels(parent);
    this.rig = new CameraRig(this.canvas, () => {
      this.invalidate();
    });
    this.picker = new Picker(this.rig.camera, this.canvas);
    this.ground = new GroundGrid(this.palette);
    this.props = new Props(this.labels, this.palette, (who) => this.figures.get(who)?.group.position ?? null);
    this.scene.add(this.ground.group, this.props.group);
    this.painter.paint(this.palette);
    this.watcher = new ResizeObserver(() => {
      this.resize();
    });
    this.watcher.observe(parent);
    this.resize();
  }

  /** For gizmos and whatever else is to be seen. */
  get scene(): Scene {
    return this.painter.scene;
  }

  get palette(): Palette {
    return PALETTES[this.shownScheme];
  }

  get scheme(): Scheme {
    return this.shownScheme;
  }

  /** The frame that is shown, with fractions. */
  get frame(): number {
    return this.shownFrame;
  }

  /** Pictures drawn so far. */
  get pictures(): number {
    return this.painter.pictures;
  }

  setScheme(scheme: Scheme): void {
    this.shownScheme = scheme;
    this.painter.paint(this.palette);
    this.ground.paint(this.palette);
    this.props.paint(this.palette);
    this.repaintFigures();
  }

  // Characters

  /** Add a character, or replace the one with its id; a motion that is there stays. */
  addCharacter(character: Character): Figure {
    const before = this.figures.get(character.id);
    const figure = new Figure(character, this.palette, this.props.height);
    this.removeCharacter(character.id);
    this.figures.set(character.id, figure);
    this.scene.add(figure.group);
    const track = before?.track;
    if (track && track.nJoints === character.parents.length) figure.setMotion(track.asPart());
    this.invalidate();
    return figure;
  }

  removeCharacter(who: string): void {
    const figure = this.figures.get(who);
    if (!figure) return;
    this.scene.remove(figure.group);
    figure.dispose();
    this.figures.delete(who);
    this.invalidate();
  }

  /** Take in a motion or a part of one; null where no such character is there. */
  setMotion(part: MotionPart): Track | null {
    const track = this.figures.get(part.who)?.setMotion(part) ?? null;
    this.setFrame(this.shownFrame);
    return track;
  }

  /** Show another motion of a character translucently; null hides it. `track.clone()` keeps the present one. */
  setGhost(who: string, track: Track | null): void {
    this.figures.get(who)?.setGhost(track);
    this.setFrame(this.shownFrame);
  }

  setTraces(shown: boolean): void {
    for (const figure of this.figures.values()) {
      figure.setTraces(shown);
      figure.body.reset();
    }
    this.setFrame(this.shownFrame);
  }

  /** Add points that move by themselves. */
  addCloud(view: CloudView): void {
    this.clouds.add(view);
    this.scene.add(view.mesh);
    this.invalidate();
  }

  /** Show a moment, by the frame of what plays; all is shown at the same time in seconds. */
  setFrame(frame: number): void {
    this.shownFrame = frame;
    const fps = this.playback?.fps ?? null;
    for (const figure of this.figures.values()) figure.show(figure.frameAt(frame, fps));
    for (const view of this.clouds) view.show(fps === null ? frame : (frame / fps) * view.cloud.fps);
    this.invalidate();
  }

  /** Follow a playback, and let it run while it plays. */
  attach(playback: Playback): void {
    this.detach?.();
    this.playback = playback;
    const offFrame = playback.onFrame((frame) => {
      this.setFrame(frame);
    });
    const offState = playback.onState(() => {
      this.lastTick = 0;
      this.invalidate();
    });
    this.detach = () => {
      offFrame();
      offState();
    };
    this.setFrame(playback.frame);
  }

  // Things drawn

  /** Add a thing or replace the one with this id. */
  setDrawable(id: string, drawable: Drawable): void {
    if (this.props.set(id, drawable)) this.repaintFigures();
    this.invalidate();
  }

  removeDrawable(id: string): void {
    if (this.props.remove(id)) this.repaintFigures();
    this.invalidate();
  }

  /** Exactly these things and no others whose id begins with `prefix`. */
  setDrawables(drawables: ReadonlyMap<string, Drawable>, prefix = ""): void {
    let moved = false;
    for (const id of this.props.ids(prefix)) if (!drawables.has(id)) moved = this.props.remove(id) || moved;
    for (const [id, drawable] of drawables) moved = this.props.set(id, drawable) || moved;
    if (moved) this.repaintFigures();
    this.invalidate();
  }

  /** Mark a thing as chosen; null marks none. */
  select(id: string | null): void {
    this.props.select(id);
    this.invalidate();
  }

  // The mouse

  /** What lies under a place of the window (`clientX`, `clientY`), the most telling first. */
  pick(clientX: number, clientY: number): Hit[] {
    const hits: Hit[] = this.picker.drawables(clientX, clientY, this.props.handles);
    const joint = this.picker.joint(clientX, clientY, this.figures.values());
    const body = this.picker.body(clientX, clientY, this.figures.values());
    if (joint) hits.unshift(joint);
    if (body) hits.push(body);
    const point = this.pickGround(clientX, clientY);
    if (point) hits.push({ kind: "ground", point });
    return hits;
  }

  /** Where the ground is under a place of the window. */
  pickGround(clientX: number, clientY: number): Vector3 | null {
    return this.picker.ground(clientX, clientY, this.props.surfaces);
  }

  // The camera

  /** Places around all bodies over their whole motions, and of all targets. */
  landmarks(): Vector3[] {
    const figures = [...this.figures.values()].flatMap((figure) => figure.landmarks());
    const clouds = [...this.clouds].flatMap((view) => view.landmarks());
    return [...figures, ...clouds, ...this.props.landmarks()];
  }

  /** See everything, from a direction (azimuth, elevation in degrees) or the present one. */
  fit(direction?: [number, number]): void {
    this.rig.fit(this.landmarks(), direction);
    this.invalidate();
  }

  /** Keep some characters in the middle; null stops. */
  follow(who: readonly string[] | null): void {
    this.rig.follow(who && (() => middleOf(who.flatMap((id) => this.figures.get(id) ?? []))));
    this.invalidate();
  }

  // Drawing

  /** Called before every picture. */
  onDraw(hook: () => void): () => void {
    this.hooks.add(hook);
    return () => this.hooks.delete(hook);
  }

  /** Something changed: draw a picture soon. */
  invalidate(): void {
    this.asked ||= requestAnimationFrame((now) => { this.tick(now); });
  }

  /** Draw soon rather than finely, as while something is dragged. */
  setHasty(isHasty: boolean): void {
    this.painter.isHasty = isHasty;
    this.invalidate();
  }

  resize(): void {
    const width = Math.max(this.parent.clientWidth, 1);
    const height = Math.max(this.parent.clientHeight, 1);
    this.painter.resize(width, height);
    this.rig.resize(width, height);
    this.invalidate();
  }

  dispose(): void {
    cancelAnimationFrame(this.asked);
    this.detach?.();
    this.watcher.disconnect();
    for (const who of [...this.figures.keys()]) this.removeCharacter(who);
    this.painter.dispose();
    this.canvas.remove();
    this.labels.layer.remove();
  }

  private tick(now: number): void {
    this.asked = 0;
    const elapsed = this.lastTick > 0 ? Math.min((now - this.lastTick) / 1000, 0.5) : 0;
    this.lastTick = this.playback?.playing ? now : 0;
    this.playback?.tick(elapsed);
    this.rig.advance();
    for (const hook of this.hooks) hook();
    this.ground.follow(this.rig.target, this.rig.distance);
    this.painter.draw(this.rig.camera);
    this.labels.update(this.rig.camera, this.canvas.clientWidth, this.canvas.clientHeight);
    if (this.playback?.playing) this.invalidate();
  }

  private repaintFigures(): void {
    for (const figure of this.figures.values()) figure.paint(this.palette, this.props.height);
    this.setFrame(this.shownFrame);
  }
}
