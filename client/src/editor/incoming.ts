/** What the server tells goes to where it is shown. */

import type { Playback } from "../playback";
import type { Stage } from "../scene";
import { withArrays } from "../net/arrays";
import type { ServerMessage, ShotMessage } from "../net/messages";
import type { Editing } from "./editing";
import { followMaking } from "./shell/making";
import { notify } from "./shell/notices";
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
    if (message.rev < store.now.reportRev) return;
    const report = { ...store.now.report, ...message.who };
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
    const text = `${message.name}: ${message.clips.join(", ")} can be used now`;
    notify(store, { message: text, isGood: true });
  },
  exported: (message, { store }) => { store.set({ exported: [message, ...store.now.exported] }); },
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
  editing.take(message);
  const { plan } = message;
  if (plan !== null) playback.setLength(plan.frames, plan.fps);
  const names = Object.keys(message.doc.cast ?? {});
  const { who } = store.now;
  if (who === null || !names.includes(who)) store.set({ who: names[0] ?? null });
}

function takeMotion(message: Of<"motion">, to: Receivers): void {
  const { store, editing, stage } = to;
  stage.setMotion(message);
  if (message.quality !== "preview") {
    const bent = [...store.now.bent].filter((id) => !id.startsWith(`${message.who}/`));
    if (bent.length < store.now.bent.size) store.set({ bent: new Set(bent) });
  }
  if (message.n > 0) age(store, message.who);
  to.onMotion(message.who);
  editing.answered(message.rev);
}

/** What was measured of a character is of an older motion now. */
function age(store: Store, who: string): void {
  const { naturalness } = store.now;
  const own = naturalness?.[who];
  if (own === undefined || own.isOld === true) return;
  store.set({ naturalness: { ...naturalness, [who]: { ...own, isOld: true } } });
}
