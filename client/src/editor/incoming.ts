/** What the server tells goes to where it is shown. */

import type { Playback } from "../playback";
import type { Stage } from "../scene";
import { withArrays } from "../net/arrays";
import type { Problem, ServerMessage, ShotMessage } from "../net/messages";
import type { Editing } from "./editing";
import { followMaking } from "./shell/making";
import { notify } from "./shell/notices";
import { sentenceOf } from "./shell/trouble";
import type { Store } from "./store";

export interface Receivers {
  store: Store;
  editing: Editing;
  playback: Playback;
  stage: Stage;
  /** A motion is in the stage. */
  onMotion: (who: string) => void;
  /** A file that was sent has come, or was refused. */
  onUpload: (id: string) => void;
}

type Of<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;
type Takers = { [T in ServerMessage["type"]]: (message: Of<T>, to: Receivers) => void };

const TAKERS: Takers = {
  welcome: (message, { store }) => { store.set({ welcome: message }); },
  shot: takeShot,
  character: (message, { store, stage }) => {
    stage.addCharacter(message);
    store.set({ characters: { ...store.now.characters, [message.id]: message } });
  },
  motion: takeMotion,
  report: (message, { store }) => {
    if (message.rev < store.now.reportRev && message.origin === undefined) return;
    const isOld = message.rev < store.now.shownRev;
    const told = Object.entries(message.who).map(([who, one]) => [who, { ...one, isOld }]);
    const report = { ...store.now.report, ...Object.fromEntries(told) as typeof message.who };
    store.set({ report, reportRev: message.rev, reportQuality: message.quality });
  },
  naturalness: ({ who }, { store }) => { store.set({ naturalness: who }); },
  progress: () => undefined,
  idle: ({ rev }, { store, editing }) => {
    store.set({ idleRev: rev });
    editing.answered(rev);
  },
  alternatives: (message, { store }) => { store.set({ alternatives: message }); },
  library: (message, { store }) => { store.set({ library: message }); },
  uploaded: (message, { store, onUpload }) => {
    onUpload(message.id);
    notify(store, uploadedNotice(message));
  },
  exported: (message, { store }) => { store.set({ exported: [message, ...store.now.exported] }); },
  note: ({ message }, { store }) => { notify(store, { message, isGood: true }); },
  problem: (message, { store, editing, onUpload }) => {
    if (message.id !== undefined) onUpload(message.id);
    notify(store, message);
    store.set({ refused: message });
    if (message.id === undefined && message.format === undefined) editing.refused();
  },
  gone: ({ who }, { store, stage }) => {
    stage.removeCharacter(who);
    const others = Object.entries(store.now.characters).filter(([name]) => name !== who);
    store.set({ characters: Object.fromEntries(others) });
  },
  bent: (message, { store }) => {
    const id = `${message.who}/${message.span}`;
    if (!store.now.bent.has(id)) store.set({ bent: new Set([...store.now.bent, id]) });
  },
  solver: (message, { store }) => {
    store.set({ solver: message });
    if (message.state === "crashed" && message.message) notify(store, { message: message.message });
  },
};

export function receive(message: ServerMessage, to: Receivers): void {
  followMaking(to.store, message);
  const taker = TAKERS[message.type] as ((m: ServerMessage, to: Receivers) => void) | undefined;
  taker?.(withArrays(message), to);
}

function takeShot(message: ShotMessage, { store, editing, playback }: Receivers): void {
  forget(store, message.problems);
  editing.take(message);
  const { plan } = message;
  if (plan !== null) playback.setLength(plan.frames, plan.fps);
  const names = Object.keys(message.doc.cast ?? {});
  const { who } = store.now;
  if (who === null || !names.includes(who)) store.set({ who: names[0] ?? null });
}

/** That a file has come. */
export function uploadedNotice({ name, clips, note }: Of<"uploaded">): Problem {
  const text = clips.length === 0 ? "is in the folder of clips" : `brought: ${clips.join(", ")} can be used now`;
  return { message: `${name} ${text}`, isGood: true, ...(note ? { hint: note } : {}) };
}

/** What was wrong with the file and is not any more is not said any longer. */
function forget(store: Store, problems: readonly Problem[]): void {
  const told = (all: readonly Problem[]): string[] => all.flatMap((one) => [one.message, sentenceOf(one)]);
  const now = told(problems);
  const mended = told(store.now.shot?.problems ?? []).filter((text) => !now.includes(text));
  const notices = store.now.notices.filter(({ message }) => !mended.includes(message));
  if (notices.length < store.now.notices.length) store.set({ notices });
}

function takeMotion(message: Of<"motion">, to: Receivers): void {
  const { store, editing, stage } = to;
  stage.setMotion(message);
  if (message.quality !== "preview") {
    const bent = [...store.now.bent].filter((id) => !id.startsWith(`${message.who}/`));
    if (bent.length < store.now.bent.size) store.set({ bent: new Set(bent) });
  }
  if (message.origin !== undefined) drop(store, message.who);
  else if (message.n > 0) age(store, message.who);
  to.onMotion(message.who);
  editing.answered(message.rev);
}

/** What was measured of a character is of an older motion now. */
function age(store: Store, who: string): void {
  const { naturalness, report } = store.now;
  const judged = naturalness?.[who];
  if (judged !== undefined && judged.isOld !== true) {
    store.set({ naturalness: { ...naturalness, [who]: { ...judged, isOld: true } } });
  }
  const own = report[who];
  if (own !== undefined && own.isOld !== true) {
    store.set({ report: { ...report, [who]: { ...own, isOld: true } } });
  }
}

/** What was measured of a character is of none that is shown; if it is known of this one it follows. */
function drop(store: Store, who: string): void {
  const { naturalness, report, bent } = store.now;
  const without = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name !== who));
  if (who in report) store.set({ report: without(report) });
  if (naturalness !== null && who in naturalness) store.set({ naturalness: without(naturalness) });
  const rest = [...bent].filter((id) => !id.startsWith(`${who}/`));
  if (rest.length < bent.size) store.set({ bent: new Set(rest) });
}
