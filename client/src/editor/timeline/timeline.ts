/** The timeline: lanes of everybody, curves under them, and the frame that is shown. */

import type { Playback } from "../../playback";
import type { Track } from "../../track";
import type { Editing } from "../editing";
import type { Item } from "../doc/items";
import { follow, make, setText } from "../shell/dom";
import type { Store } from "../store";
import { makeCurves } from "./curves";
import { dragItem, type DragTools, paint } from "./drag";
import { makeHead } from "./head";
import { itemKey } from "./keys";
import { type Lane, lanesOf, meetingsOf } from "./lanes";
import { makeItem, showItem } from "./item";
import { makeMore, type More } from "./more";
import { ROOM, Scale } from "./scale";
import { drawContacts, drawMeetings, drawPieces, drawRuler, type Sheet, sheetOf } from "./strips";

export interface TimelineTools {
  store: Store;
  editing: Editing;
  playback: Playback;
  tracks: () => Map<string, Track>;
  choose: (item: Item | null) => void;
  open: (item: Item) => void;
}

/** Width of the names of lanes, pixels. */
const NAMES = 104;
const RULER = 22;

export class Timeline {
  private readonly scale = new Scale();
  private readonly scroll = make("div", { class: "tl-scroll" });
  private readonly ruler = make("canvas", { class: "ruler" });
  private readonly body = make("div", { class: "lanes" });
  private readonly playhead = make("div", { class: "playhead", "aria-hidden": true });
  private readonly painted = make("div", { class: "painted", hidden: true });
  private readonly items = new Map<string, HTMLButtonElement>();
  private readonly shown = new Map<string, Item>();
  private readonly strips = new Map<string, HTMLCanvasElement>();
  private readonly rows = new Map<string, HTMLElement>();
  private readonly curves: ReturnType<typeof makeCurves>;
  private readonly drags: DragTools;
  private readonly more: More;
  private style: () => string;
  private lanes: Lane[] = [];
  private isFitted = false;

  constructor(root: HTMLElement, private readonly tools: TimelineTools) {
    const { store, editing } = tools;
    const { scale } = this;
    this.drags = {
      ...{ store, editing, scale, choose: tools.choose },
      chooseId: (id) => { store.set({ chosen: id }); },
      focusChosen: () => { this.items.get(store.now.chosen ?? "")?.focus({ preventScroll: true }); },
    };
    const head = makeHead({
      ...{ store, editing, playback: tools.playback, fit: () => { this.fit(); } },
      zoom: (factor) => { this.zoom(factor); },
    });
    this.style = head.style;
    this.curves = makeCurves(tools, scale);
    const top = make("div", { class: "ruler-row" }, make("div", { class: "lane-name" }), this.ruler);
    const inner = make("div", { class: "tl-inner" }, top, this.body, this.curves.element, this.playhead);
    this.scroll.append(inner);
    this.more = makeMore(this.scroll, this.body);
    root.append(head.element, this.scroll, this.more.element);
    this.listen();
  }

  private listen(): void {
    const { store } = this.tools;
    this.scroll.addEventListener("scroll", () => { this.drawSheets(); this.more.refresh(); });
    this.scroll.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), event.clientX);
    }, { passive: false });
    this.ruler.addEventListener("pointerdown", (event) => {
      const seek = (one: PointerEvent): void => { this.seekTo(one); };
      this.tools.playback.pause();
      seek(event);
      follow(event, seek, () => undefined);
    });
    new ResizeObserver(() => { this.drawSheets(); this.more.refresh(); }).observe(this.scroll);
    store.onCalm(["doc", "plan", "who", "chosen", "bent", "characters", "report", "naturalness"], () => {
      this.show();
    });
    store.on(["frame"], (state) => {
      this.movePlayhead(state.frame / store.fps, true);
    });
    store.on(["awaited", "plan"], ({ awaited }) => {
      if (awaited !== null) this.reveal(awaited);
    });
  }

  /** Draw what a new motion brought: contacts. */
  drawSheets(): void {
    const { scale, scroll } = this;
    const width = scroll.clientWidth - NAMES;
    const from = scale.seconds(scroll.scrollLeft);
    const { fps, duration } = this.tools.store;
    const ruler = sheetOf(this.ruler, width, RULER, from, fps, scale);
    if (ruler !== null) drawRuler(ruler, duration);
    for (const lane of this.lanes) {
      const canvas = this.strips.get(lane.id);
      if (canvas === undefined) continue;
      const sheet = sheetOf(canvas, width, lane.height, from, fps, scale);
      if (sheet === null) continue;
      this.drawStrip(sheet, lane);
    }
    this.curves.draw(width, from);
  }

  private drawStrip(sheet: Sheet, { kind, who }: Lane): void {
    const { store, tracks } = this.tools;
    if (kind === "contacts") drawContacts(sheet, tracks().get(who)?.contacts ?? {});
    else if (kind === "meet") drawMeetings(sheet, meetingsOf(store, who), who);
    else drawPieces(sheet, store.now.report[who]?.pieces ?? [], store.now.report[who]?.isOld);
  }

  zoom(factor: number, clientX?: number): void {
    const left = this.scroll.getBoundingClientRect().left + NAMES;
    const { frame } = this.tools.store.now;
    const at = clientX === undefined
      ? frame / this.tools.store.fps
      : this.scale.seconds(clientX - left + this.scroll.scrollLeft);
    const before = this.scale.x(at) - this.scroll.scrollLeft;
    this.scale.zoom(factor);
    this.show();
    this.scroll.scrollLeft = this.scale.x(at) - before;
    this.drawSheets();
  }

  fit(): void {
    this.scale.fit(this.tools.store.duration, this.scroll.clientWidth - NAMES);
    this.show();
    this.scroll.scrollLeft = 0;
  }

  focus(item: Item): void {
    this.tools.choose(item);
    this.items.get(item.id)?.focus();
  }

  /** Go to an entry that was added, once it has a time. */
  private reveal(id: string): void {
    const { store, playback } = this.tools;
    const item = this.shown.get(id);
    if (item === undefined) return;
    const begin = this.scale.x(item.start);
    const room = Math.max(this.scroll.clientWidth - NAMES - 40, 40);
    const end = Math.min(this.scale.x(Math.max(item.end, item.start)), begin + room);
    const { scrollLeft } = this.scroll;
    if (begin < scrollLeft) this.scroll.scrollLeft = Math.max(0, begin - 40);
    else if (end > scrollLeft + room) this.scroll.scrollLeft = end - room;
    playback.seek(Math.round(item.start * store.fps));
    this.items.get(id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.items.get(id)?.focus({ preventScroll: true });
    store.set({ awaited: null });
  }

  private seekTo(event: PointerEvent): void {
    const left = this.ruler.getBoundingClientRect().left;
    const time = this.scale.seconds(event.clientX - left + this.scroll.scrollLeft);
    this.tools.playback.seek(Math.round(time * this.tools.store.fps));
  }

  private movePlayhead(time: number, follows: boolean): void {
    const x = NAMES + this.scale.x(time);
    this.playhead.style.transform = `translateX(${String(x)}px)`;
    const { scrollLeft, clientWidth } = this.scroll;
    const outside = x < scrollLeft + NAMES || x > scrollLeft + clientWidth - 8;
    if (follows && outside) this.scroll.scrollLeft = x - NAMES - 40;
  }

  private show(): void {
    const { store } = this.tools;
    if (!this.isFitted && store.duration > 0 && this.scroll.clientWidth > NAMES) {
      this.isFitted = true;
      this.scale.fit(store.duration, this.scroll.clientWidth - NAMES);
    }
    this.lanes = lanesOf(store);
    const width = NAMES + this.scale.x(store.duration + ROOM);
    this.body.style.width = `${String(Math.ceil(width))}px`;
    this.placeRows();
    this.placeItems();
    this.movePlayhead(store.now.frame / store.fps, false);
    this.drawSheets();
    this.more.refresh();
  }

  private placeRows(): void {
    const wanted = new Set(this.lanes.map((lane) => lane.id));
    for (const [id, row] of this.rows) {
      if (wanted.has(id)) continue;
      row.remove();
      this.rows.delete(id);
      this.strips.delete(id);
    }
    this.lanes.forEach((lane, i) => {
      const row = this.rows.get(lane.id) ?? this.makeRow(lane);
      const name = lane.who === this.tools.store.now.who ? lane.label : lane.who;
      setText(row.firstElementChild as Element, name);
      row.style.height = `${String(lane.height)}px`;
      if (this.body.children[i] !== row) this.body.insertBefore(row, this.body.children[i] ?? null);
    });
  }

  private makeRow(lane: Lane): HTMLElement {
    const name = make("div", { class: "lane-name" });
    const row = make("div", { class: "lane", "data-kind": lane.kind, role: "group" }, name);
    row.setAttribute("aria-label", `${lane.label} of ${lane.who}`);
    const field = make("div", { class: "lane-field" });
    if (lane.kind === "contacts" || lane.kind === "pieces" || lane.kind === "meet") {
      const canvas = make("canvas", { class: "strip" });
      if (lane.kind === "meet") canvas.addEventListener("pointerdown", () => { this.tools.store.set({ tab: "shot" }); });
      this.strips.set(lane.id, canvas);
      row.append(canvas);
    } else row.append(field);
    field.addEventListener("pointerdown", (event) => { this.pressField(event, lane); });
    this.rows.set(lane.id, row);
    return row;
  }

  private pressField(event: PointerEvent, lane: Lane): void {
    if (event.target !== event.currentTarget || event.button !== 0) return;
    const { store } = this.tools;
    if (lane.who !== store.now.who) store.set({ who: lane.who });
    this.tools.choose(null);
    const style = this.style();
    if (lane.kind !== "style" || style === "") {
      this.seekTo(event);
      return;
    }
    const field = event.currentTarget as HTMLElement;
    field.append(this.painted);
    paint(event, lane, style, this.drags, (from, to) => {
      this.painted.hidden = to <= from;
      this.painted.style.left = `${String(this.scale.x(from))}px`;
      this.painted.style.width = `${String(this.scale.x(to - from))}px`;
    });
  }

  private placeItems(): void {
    const before = new Set(this.items.keys());
    const { chosen } = this.tools.store.now;
    const known = this.lanes.some((lane) => lane.items.some((item) => item.id === chosen));
    let first = !known;
    for (const lane of this.lanes) {
      const field = this.rows.get(lane.id)?.querySelector<HTMLElement>(".lane-field");
      lane.items.forEach((item, i) => {
        before.delete(item.id);
        const element = this.placeItem(item, lane.rows[i] ?? 0, field ?? this.body);
        element.tabIndex = item.id === chosen || first ? 0 : -1;
        first = false;
      });
    }
    for (const id of before) {
      this.items.get(id)?.remove();
      this.items.delete(id);
      this.shown.delete(id);
    }
  }

  private placeItem(item: Item, row: number, field: HTMLElement): HTMLElement {
    const { chosen, bent, report } = this.tools.store.now;
    const element = this.items.get(item.id) ?? this.newItem(item);
    this.shown.set(item.id, item);
    if (element.parentElement !== field) field.append(element);
    const own = report[item.who]?.spans.find((span) => span.id === item.label);
    const isSpan = item.lane === "spans" || item.lane === "layer";
    showItem(element, item, this.scale, {
      isChosen: item.id === chosen,
      isBent: isSpan && bent.has(`${item.who}/${item.label}`),
      hasProblem: isSpan && own !== undefined && own.problems.length > 0,
      row,
    });
    return element;
  }

  private newItem(item: Item): HTMLButtonElement {
    const element = makeItem(item);
    const now = (): Item => this.shown.get(item.id) ?? item;
    element.addEventListener("pointerdown", (event) => { dragItem(event, now(), this.drags); });
    element.addEventListener("focus", () => {
      if (this.tools.store.now.chosen !== item.id) this.tools.choose(now());
    });
    element.addEventListener("dblclick", () => { this.tools.open(now()); });
    element.addEventListener("keydown", (event) => {
      const { store, editing, open } = this.tools;
      const lanes = (): Lane[] => this.lanes;
      const focus = (one: Item): void => { this.focus(one); };
      if (!itemKey(event, now(), { store, editing, lanes, focus, open })) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.items.set(item.id, element);
    return element;
  }
}
