/** What the studio knows and shows, and who is told when it changes. */

import type { Character, Origin, Quality } from "../model";
import type {
  Alternative, CharacterReport, Library, Naturalness, Plan, Problem, ServerMessage, ShotMessage,
} from "../net/messages";
import type { Connection } from "../net/socket";
import { type Bodies, NOBODY } from "./bodies";
import type { ShotDocument } from "./doc/document";
import { type Item, itemsOf } from "./doc/items";
import type { Making } from "./shell/making";

type Of<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;

export type Tool = "place" | "look" | "post" | "box" | "slope" | "stairs" | "gaze";
export type Tab = "span" | "report" | "library" | "export" | "shot";

export interface State {
  connection: Connection;
  welcome: Of<"welcome"> | null;
  /** As the server last told it. */
  shot: ShotMessage | null;
  /** With the drag that goes on. */
  doc: ShotDocument;
  plan: Plan | null;
  characters: Record<string, Character>;
  report: Record<string, CharacterReport>;
  reportRev: number;
  /** Of which motion the report tells. */
  reportQuality: Quality;
  /** How natural motions are; null until the first was measured. */
  naturalness: Record<string, Naturalness> | null;
  /** The last revision with which the solver was done. */
  idleRev: number;
  /** How far what is made is; null where nothing is. */
  making: Making | null;
  /** Whether a file is written. */
  isExporting: boolean;
  /** The revision whose motion is shown; 0 of a clip as captured, -1 of none. */
  shownRev: number;
  /** Where the motion comes from that is shown. */
  shownAs: Origin | "shot" | "nothing";
  /** Spans ("anna/go") of which the motion that is shown is made. */
  made: ReadonlySet<string>;
  solver: Of<"solver"> | null;
  library: Library | null;
  alternatives: { who: string; span: string; items: Alternative[] } | null;
  exported: Of<"exported">[];
  /** What was last not brought or not made. */
  refused: Problem | null;
  notices: Problem[];
  /** Spans whose shown motion the search has not confirmed: "anna/go". */
  bent: ReadonlySet<string>;
  /** The character whose lanes are open. */
  who: string | null;
  /** Id of the chosen entry. */
  chosen: string | null;
  tool: Tool;
  tab: Tab;
  frame: number;
  /** Motions that have come so far. */
  motions: number;
  isPlaying: boolean;
  isDragging: boolean;
  /** Whether something is dragged in the view: every picture of it is waited for. */
  isPulling: boolean;
  /** Id of an entry that was added and is shown as soon as it has a time. */
  awaited: string | null;
}

export const EMPTY: State = {
  ...{ connection: "connecting", welcome: null, shot: null, doc: {}, plan: null, characters: {} },
  ...{ report: {}, reportRev: -1, reportQuality: "search", idleRev: -1 },
  naturalness: null,
  ...{ making: null, solver: null, library: null },
  ...{ alternatives: null, exported: [], refused: null, notices: [], bent: new Set<string>() },
  ...{ who: null, chosen: null, tool: "place", tab: "span", frame: 0, motions: 0 },
  ...{ isPlaying: false, isDragging: false, isPulling: false, isExporting: false, shownRev: -1 },
  ...{ awaited: null, shownAs: "nothing", made: new Set<string>() },
};

type Listener = (state: State, before: State) => void;

/** What is not looked at during a pull in the view waits until it rests for so long, milliseconds. */
const REST = 300;

export class Store {
  /** Where bodies are. */
  bodies: Bodies = NOBODY;
  private state: State = EMPTY;
  private readonly listeners: { keys: (keyof State)[]; tell: Listener }[] = [];
  private known: { doc: ShotDocument; plan: Plan | null; items: Record<string, Item[]> } | null =
    null;

  get now(): State {
    return this.state;
  }

  /** Change some of it, and tell those who asked for that. */
  set(change: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...change };
    const changed = (Object.keys(change) as (keyof State)[]).filter(
      (key) => before[key] !== this.state[key],
    );
    if (changed.length === 0) return;
    for (const { keys, tell } of this.listeners) {
      if (keys.some((key) => changed.includes(key))) tell(this.state, before);
    }
  }

  /** Be told, now and whenever one of these changes. */
  on(keys: (keyof State)[], tell: Listener): void {
    this.listeners.push({ keys, tell });
    tell(this.state, this.state);
  }

  /** Be told as by `on`, but while something is pulled in the view only when that rests.
   *
   * Where no graphics card helps, drawing lanes and forms anew takes longer than the view itself. */
  onCalm(keys: (keyof State)[], tell: Listener): void {
    let before: State | null = null;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const tellNow = (): void => {
      clearTimeout(rest);
      const since = before;
      before = null;
      if (since !== null) tell(this.state, since);
    };
    this.on(keys, (_, previous) => {
      before ??= previous;
      clearTimeout(rest);
      if (this.state.isPulling) rest = setTimeout(tellNow, REST);
      else tellNow();
    });
    this.on(["isPulling"], ({ isPulling }) => {
      if (!isPulling) tellNow();
    });
  }

  /** Entries of a character's lanes. */
  items(who: string): Item[] {
    const { doc, plan, characters } = this.state;
    if (plan === null) return [];
    if (this.known?.doc !== doc || this.known.plan !== plan) this.known = { doc, plan, items: {} };
    const { items } = this.known;
    return (items[who] ??= itemsOf(doc, plan, who, characters[who]));
  }

  /** What somebody chose, with its fields; nothing where they pressed beside all. */
  choose(item: Item | null): void {
    this.set(item === null ? { chosen: null } : { chosen: item.id, who: item.who, tab: "span" });
  }

  /** The chosen entry, if it is still there. */
  get chosenItem(): Item | null {
    const { chosen, plan } = this.state;
    if (chosen === null || plan === null) return null;
    const who = chosen.split("/")[1] ?? "";
    return this.items(who).find((item) => item.id === chosen) ?? null;
  }

  get fps(): number {
    return this.state.plan?.fps ?? this.state.doc.fps ?? 30;
  }

  get duration(): number {
    return (this.state.plan?.frames ?? 0) / this.fps;
  }
}
