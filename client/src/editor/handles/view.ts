/** The view as an editor: handles are dragged, the ground is clicked, a ghost shows what was. */

import { Vector3 } from "three";
import type { Playback } from "../../playback";
import type { Stage } from "../../scene";
import { aheadOf, withOthers } from "../doc/adding";
import { addCheckpoint, type Ending, reachTo } from "../doc/changes";
import { at, type ShotDocument } from "../doc/document";
import { append } from "../doc/ops";
import { clearPlace } from "../doc/footprint";
import { addedSpan } from "../doc/spans";
import { idOf } from "../doc/items";
import { addSolid, nextSolid, SHAPES } from "../doc/solids";
import { rounded } from "../doc/times";
import type { Drag, Editing } from "../editing";
import type { State, Store, Tool } from "../store";
import { notify } from "../shell/notices";
import { Ghost } from "./ghost";
import { GroundCursor } from "./cursor";
import { drawables, type Handles, handlesOf, type Point } from "./drawn";
import { showNames } from "./names";
import { pullOf } from "./drags";
import { type Held, heldAt } from "./hits";
import { JointHandles } from "./joints";
import { PREVIEW, previewOf } from "./preview";

export interface ViewTools {
  store: Store;
  editing: Editing;
  playback: Playback;
  stage: Stage;
  /** Tell who cannot see. */
  say: (text: string) => void;
}

/** What the view is called for who cannot see it. */
const VIEW =
  "View of the shot. Enter shows a cursor on the ground; arrows move it, Enter places there what the tool says";
/** Tools whose clicks put something on the ground, whatever lies there. */
const PUTS: ReadonlySet<Tool> = new Set(["post", "box", "slope", "stairs", "gaze"]);
/** A mouse that moved less is a click, pixels. */
const CLICK = 4;

export class EditedView {
  readonly joints: JointHandles;
  readonly ghost: Ghost;
  private handles: Handles;
  private isPreviewed = false;
  private pressed: { x: number; y: number } | null = null;

  constructor(private readonly tools: ViewTools) {
    const { store, stage } = tools;
    this.joints = new JointHandles(stage);
    this.ghost = new Ghost(stage, store);
    this.handles = handlesOf(store);
    const canvas = stage.canvas;
    canvas.setAttribute("aria-label", VIEW);
    canvas.addEventListener("pointerdown", (event) => { this.press(event); }, { capture: true });
    canvas.addEventListener("pointermove", (event) => { this.hover(event); });
    canvas.addEventListener("pointerleave", () => { this.dropPreview(); });
    canvas.addEventListener("pointerup", (event) => { this.release(event); });
    new GroundCursor({
      ...{ stage, say: tools.say, place: (at: Vector3) => { this.clickGround(at); } },
      start: () => this.placeNow(),
    });
    store.on(["doc", "plan", "who", "chosen", "characters"], (state) => { this.show(state); });
    store.on(["characters"], ({ characters }, before) => {
      showNames(stage, Object.keys(characters), Object.keys(before.characters));
    });
    store.on(["who", "tool", "isPlaying", "welcome"], (state) => {
      this.joints.who = state.who;
      this.joints.isShown = !state.isPlaying && state.tool !== "look" && state.welcome?.reader !== true;
      stage.canvas.dataset["tool"] = state.tool;
      this.dropPreview();
      stage.invalidate();
    });
  }

  private show(state: State): void {
    const { store, stage } = this.tools;
    this.handles = handlesOf(store);
    stage.setDrawables(drawables(store, this.handles, state.chosen), "shot/");
    const chosen = this.chosenPoint();
    this.joints.setAxes(chosen === null ? null : new Vector3(...chosen.at));
    const shown = state.chosen === null ? null : this.shownAs(state.chosen);
    stage.select(shown);
  }

  private shownAs(id: string): string | null {
    const place = `shot/place/${id}`;
    if (this.handles.places.has(place)) return place;
    const point = `shot/point/${id}`;
    return this.handles.points.has(point) ? point : null;
  }

  private chosenPoint(): Point | null {
    const { chosen } = this.tools.store.now;
    return this.handles.points.get(`shot/point/${chosen ?? ""}`) ?? null;
  }

  private held(event: MouseEvent): Held | null {
    const { store, stage } = this.tools;
    if (store.now.tool === "look") return null;
    return heldAt(event, stage, this.handles, this.joints, store.now);
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const held = this.held(event);
    const { tool } = this.tools.store.now;
    if (held === null || PUTS.has(tool)) this.pressed = { x: event.clientX, y: event.clientY };
    if (held === null) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const { store, stage, playback } = this.tools;
    stage.canvas.focus({ preventScroll: true });
    if (held.kind === "joint" || held.kind === "point") playback.pause();
    this.choose(held);
    const pull = pullOf(held, event, stage, store, this.chosenPoint());
    if (pull !== null) this.pull(event, pull);
  }

  private choose(held: Held): void {
    const { store } = this.tools;
    if (held.kind === "place") {
      store.set({ chosen: held.place.id, who: held.place.who ?? store.now.who, tab: "span" });
    }
    if (held.kind === "solid" || held.kind === "knob") {
      store.set({ chosen: idOf(held.solid.path), tab: "span" });
    }
    if (held.kind === "point") {
      store.choose(held.point.item);
    }
  }

  private pull(start: PointerEvent, pull: NonNullable<ReturnType<typeof pullOf>>): void {
    const { store, editing, stage } = this.tools;
    const { canvas } = stage;
    let drag: Drag | null = null;
    canvas.setPointerCapture(start.pointerId);
    const moved = (event: PointerEvent): void => {
      if (drag === null && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < CLICK) return;
      if (drag === null) {
        this.ghost.begin();
        drag = editing.begin(pull.label);
        store.set({ isPulling: drag !== null });
      }
      drag?.update(pull.ops(drag.base, event), event.timeStamp);
    };
    const end = (): void => {
      canvas.removeEventListener("pointermove", moved);
      canvas.removeEventListener("pointerup", end);
      canvas.removeEventListener("pointercancel", end);
      if (drag === null || drag.isOver) return;
      drag.finish();
      this.chooseAdded(drag.base);
    };
    canvas.addEventListener("pointermove", moved);
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  private hover(event: PointerEvent): void {
    this.preview(event);
    if (event.buttons !== 0) return;
    const { canvas } = this.tools.stage;
    canvas.style.cursor = this.held(event) === null ? "" : "grab";
  }

  private release(event: PointerEvent): void {
    const { pressed } = this;
    this.pressed = null;
    if (pressed === null || event.button !== 0) return;
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) >= CLICK) return;
    const { stage, store } = this.tools;
    const body = stage.pick(event.clientX, event.clientY).find((hit) => hit.kind === "body");
    if (body?.kind === "body" && body.who !== store.now.who && !PUTS.has(store.now.tool)) {
      store.set({ who: body.who });
      return;
    }
    const ground = stage.pickGround(event.clientX, event.clientY);
    if (ground !== null) this.clickGround(ground);
    else if (PUTS.has(store.now.tool)) notify(store, { message: "There is no ground; click below the horizon" });
  }

  private clickGround(ground: Vector3): void {
    const { tool, plan, who } = this.tools.store.now;
    const place: [number, number] = [ground.x, ground.z];
    if (tool === "look" || plan === null || who === null) return;
    if (tool === "place") this.placeCheckpoint(place, who);
    else if (tool === "gaze") this.lookAt(ground, who);
    else this.putSolid(tool, place);
  }

  /** Put one there, and show its fields. */
  private putSolid(tool: Tool, place: [number, number]): void {
    const { store, editing } = this.tools;
    const { doc } = store.now;
    const path = nextSolid(doc, tool);
    if (path === null || !editing.commit(addSolid(doc, tool, place, this.rings), `add ${tool}`)) return;
    store.set({ tool: "place", chosen: idOf(path), tab: "span" });
  }

  private get rings(): [number, number][] {
    return [...this.handles.places.values()].map((one) => one.at);
  }

  /** Show where a click would put a solid. */
  private preview(event: PointerEvent): void {
    const { store, stage } = this.tools;
    const shape = SHAPES[store.now.tool];
    const at = shape && stage.picker.level(event.clientX, event.clientY);
    if (!shape || !at) {
      this.dropPreview();
      return;
    }
    const place = clearPlace(shape.fields, [at.x, at.z], this.rings);
    stage.setDrawables(previewOf(shape, place), PREVIEW);
    this.isPreviewed = true;
  }

  private dropPreview(): void {
    if (this.isPreviewed) this.tools.stage.setDrawables(new Map(), PREVIEW);
    this.isPreviewed = false;
  }

  private placeCheckpoint(place: [number, number], who: string): void {
    const { store, editing, stage, playback } = this.tools;
    const { doc, plan, frame } = store.now;
    if (plan === null) return;
    const chosen = store.chosenItem;
    const span = chosen?.who === who ? chosen.span : null;
    const from = this.lastPlace(who);
    const ways = this.way(span, who);
    if (ways !== null) {
      editing.commit(append(doc, ways, place.map(rounded)), "add a point to the way");
      return;
    }
    const ops = addCheckpoint(doc, plan, who, span, frame / store.fps, place, from);
    if (!editing.commit(withOthers(doc, plan, who, ops), "place a checkpoint")) return;
    const id = addedSpan(doc, store.now.doc, who);
    if (id === null) {
      stage.canvas.focus({ preventScroll: true });
      return;
    }
    playback.pause();
    store.set({ chosen: id, tab: "span", awaited: id });
  }

  /** Show the fields of a key that a drag made. */
  private chooseAdded(before: ShotDocument): void {
    const { store } = this.tools;
    const { doc, who } = store.now;
    const id = who === null ? null : addedSpan(before, doc, who);
    if (id !== null) store.set({ chosen: id, tab: "span" });
  }

  /** Where points of the chosen gait's way are added. */
  private way(span: number | null, who: string): (string | number)[] | null {
    const { doc } = this.tools.store.now;
    if (span === null || at(doc, ["tracks", who, span, "do"]) !== "gait") return null;
    return ["tracks", who, span, "path"];
  }

  /** Where the open character is on the frame that is shown. */
  private placeNow(): [number, number] {
    const hips = this.joints.place("hips");
    return hips === null ? [0, 0] : [hips.x, hips.z];
  }

  private lastPlace(who: string): Ending {
    const { stage, store } = this.tools;
    const track = stage.figures.get(who)?.track;
    if (!track || track.total === 0) return { at: [0, 0], ahead: null };
    const [x, , z] = track.root.subarray(3 * (track.total - 1));
    const hips = store.bodies.joints(who, ["left_hip", "right_hip"], track.total - 1);
    const [left, right] = hips ?? [];
    return { at: [x ?? 0, z ?? 0], ahead: left && right ? aheadOf(left, right) : null };
  }

  private lookAt(ground: Vector3, who: string): void {
    const { store, editing } = this.tools;
    const { doc, plan, frame, characters } = store.now;
    if (plan === null) return;
    const point: [number, number, number] = [ground.x, Math.max(ground.y, 0), ground.z];
    const time = frame / store.fps;
    const ops = reachTo(doc, plan, who, "gaze", time, point, store.items(who), characters[who]);
    if (editing.commit(ops, "add a gaze")) store.set({ tool: "place" });
  }
}
