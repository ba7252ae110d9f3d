/** How far the making of the shot is: one word and one bar that never goes back, edit by edit. */

import type { ServerMessage } from "../../net/messages";
import type { State, Store } from "../store";

export type Phase = "preview" | "searching" | "measuring";

export interface Making {
  /** Of the document that is made. */
  rev: number;
  phase: Phase;
  /** 0 to 1; grows only. */
  share: number;
  /** What is worked on, as the maker calls it. */
  detail: string;
}

/** Where the bar is when a phase begins, and when it ends. */
const ROOM: Record<Phase, [number, number]> = {
  preview: [0.03, 0.3], searching: [0.3, 0.8], measuring: [0.8, 0.98],
};
const ORDER: Phase[] = ["preview", "searching", "measuring"];
/** How much of what is left of a phase a new kind of work fills, and another word about it. */
const NEXT = 0.15;
const MORE = 0.02;

const begun = (rev: number, phase: Phase): Making => ({ rev, phase, share: ROOM[phase][0], detail: "" });

/** A later phase; never an earlier one. */
function reached(making: Making, phase: Phase): Making {
  if (ORDER.indexOf(phase) <= ORDER.indexOf(making.phase)) return making;
  return { ...making, phase, share: Math.max(making.share, ROOM[phase][0]) };
}

function stepped(making: Making, stage: string): Making {
  const end = ROOM[making.phase][1];
  const by = making.detail === stage ? MORE : NEXT;
  return { ...making, detail: stage, share: making.share + Math.max(end - making.share, 0) * by };
}

type Of<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;

function afterShot({ making, idleRev }: State, { rev, problems }: Of<"shot">): Making | null {
  if (problems.length > 0 || rev <= idleRev) return null;
  return making?.rev === rev ? making : begun(rev, "preview");
}

function afterProgress(state: State, message: Of<"progress">): Making | null {
  const { making, idleRev, shot } = state;
  if (message.stage === EXPORTING || message.rev !== shot?.rev) return making;
  if (shot.problems.length > 0) return null;
  const rest = begun(message.rev, message.rev <= idleRev ? "searching" : "preview");
  return stepped(making?.rev === message.rev ? making : rest, stageOf(message));
}

/** What is known of the making after a message; null where nothing is made. */
export function makingAfter(state: State, message: ServerMessage): Making | null {
  const { making } = state;
  if (message.type === "shot") return afterShot(state, message);
  if (message.type === "progress") return afterProgress(state, message);
  if (making === null) return null;
  if (message.type === "idle") return message.rev >= making.rev ? null : making;
  if (message.type !== "motion" && message.type !== "report") return making;
  if (message.rev !== making.rev) return making;
  return reached(making, message.quality === "preview" ? "searching" : "measuring");
}

/** What the server calls the writing of a file. */
const EXPORTING = "exporting";

function stageOf({ stage, who }: Of<"progress">): string {
  return who ? `${stage}, ${who}` : stage;
}

/** Take from a message how far the making is; to be called before the message is taken itself. */
export function followMaking(store: Store, message: ServerMessage): void {
  const making = makingAfter(store.now, message);
  if (making !== store.now.making) store.set({ making });
  if (message.type === "progress" && message.stage === EXPORTING) {
    store.set({ isExporting: message.done < message.total });
  }
  if (message.type === "motion") followShown(store, message);
}

/** Take from a motion what of the shot is shown. */
function followShown(store: Store, { rev, origin }: Of<"motion">): void {
  store.set({ shownRev: rev, shownAs: origin ?? "shot" });
  const { plan, shot, made } = store.now;
  if (plan === null || rev !== shot?.rev) return;
  const names = Object.entries(plan.tracks).flatMap(([who, row]) => row.map(({ id }) => `${who}/${id}`));
  if (names.length !== made.size || names.some((one) => !made.has(one))) store.set({ made: new Set(names) });
}
