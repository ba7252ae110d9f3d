/** Edits and drags: shown at once, told to the server, one of a drag in flight at most. */

import type { ClientMessage, Op, ShotMessage } from "../net/messages";
import { same, type ShotDocument } from "./doc/document";
import { apply, Conflict } from "./doc/ops";
import type { Store } from "./store";

/** A drag waits no longer than this for its answer before it sends again, milliseconds. */
const PATIENCE = 1200;

export interface Drag {
  /** The document as it was before. */
  readonly base: ShotDocument;
  /** Ops for the document as it was before the drag. */
  update(ops: Op[], moved?: number): void;
  finish(): void;
  cancel(): void;
  readonly isOver: boolean;
}

interface Going {
  id: string;
  label: string;
  base: ShotDocument;
  ops: Op[];
  sent: Op[] | null;
  sentAt: number;
  movedAt: number;
}

/** A change in flight, and the revision that it became; 0 while the server has not told. */
interface Waiting {
  sentAt: number;
  movedAt: number;
  after: number;
  rev: number;
}

export class Editing {
  private going: Going | null = null;
  private count = 0;
  /** Edits that were sent and not told of yet, and the revision that each makes. */
  private pending: { rev: number; ops: Op[] }[] = [];
  /** The revision that all make that was sent. */
  private ahead = 0;
  private waiting: Waiting | null = null;
  /** When the pointer moved whose motion is shown next; for measuring. */
  onAnswer: (movedAt: number) => void = () => undefined;

  constructor(
    private readonly store: Store,
    private readonly send: (message: ClientMessage) => boolean,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  get canEdit(): boolean {
    const { shot, welcome, connection } = this.store.now;
    return shot !== null && connection === "open" && welcome?.reader !== true;
  }

  /** One change, one entry of undo; a drag that goes on ends before it. */
  commit(ops: Op[], label: string): boolean {
    if (ops.length === 0 || !this.canEdit) return false;
    if (this.going !== null) this.finish(this.going);
    const { doc, shot } = this.store.now;
    const shown = tried(doc, ops);
    if (shown === null || shot === null) return false;
    this.store.set({ doc: shown });
    this.pending.push({ rev: this.next(shot.rev), ops });
    return this.send({ type: "edit", base_rev: shot.rev, ops, label });
  }

  /** The revision that the next message makes. */
  private next(rev: number): number {
    this.ahead = Math.max(this.ahead, rev) + 1;
    return this.ahead;
  }

  undo(): void {
    if (this.canEdit && this.going === null) this.send({ type: "undo" });
  }

  redo(): void {
    if (this.canEdit && this.going === null) this.send({ type: "redo" });
  }

  /** Begin a drag; it ends by itself where another begins. */
  begin(label: string): Drag | null {
    if (!this.canEdit) return null;
    this.stop();
    const going: Going = {
      ...{ id: `d${String(++this.count)}-${String(Math.round(this.clock()))}`, label },
      ...{ base: this.store.now.doc, ops: [], sent: null, sentAt: 0, movedAt: 0 },
    };
    this.going = going;
    this.store.set({ isDragging: true });
    const isGoing = (): boolean => this.going === going;
    return {
      get base() {
        return going.base;
      },
      update: (ops, moved) => {
        if (isGoing()) this.update(going, ops, moved ?? this.clock());
      },
      finish: () => {
        if (isGoing()) this.finish(going);
      },
      cancel: () => {
        if (isGoing()) this.stop();
      },
      get isOver() {
        return !isGoing();
      },
    };
  }

  /** Drop the drag that goes on; whether there was one. */
  stop(): boolean {
    const { going } = this;
    if (going === null) return false;
    this.going = null;
    this.waiting = null;
    if (going.sent !== null) {
      this.next(this.store.now.shot?.rev ?? 0);
      this.send({ type: "cancel", drag: going.id });
    }
    this.store.set({ doc: going.base, isDragging: false });
    return true;
  }

  private update(going: Going, ops: Op[], movedAt: number): void {
    const shown = tried(going.base, ops);
    if (shown === null) return;
    going.ops = ops;
    going.movedAt = movedAt;
    this.store.set({ doc: shown });
    this.flush(going);
  }

  private flush(going: Going): void {
    const now = this.clock();
    if (this.waiting !== null && now - this.waiting.sentAt < PATIENCE) return;
    if (going.ops === going.sent || going.ops.length === 0) return;
    const { shot } = this.store.now;
    if (shot === null) return;
    going.sent = going.ops;
    this.next(shot.rev);
    this.waiting = { sentAt: now, movedAt: going.movedAt, after: shot.rev, rev: 0 };
    const { id: drag, label, ops } = going;
    this.send({ type: "edit", base_rev: shot.rev, ops, label, transient: true, drag });
  }

  private finish(going: Going): void {
    this.going = null;
    this.waiting = null;
    const { shot } = this.store.now;
    const { id: drag, label, ops } = going;
    if (ops.length === 0 || shot === null) {
      if (going.sent !== null) this.send({ type: "cancel", drag });
    } else {
      this.pending.push({ rev: this.next(shot.rev), ops });
      this.send({ type: "edit", base_rev: shot.rev, ops, label, drag });
    }
    this.store.set({ isDragging: false });
  }

  /** The server told the document: it is shown, with what of a drag it does not know yet. */
  take(message: ShotMessage): void {
    const { going, store } = this;
    this.number(message);
    const plan = kept(store.now.plan, message.plan ?? store.now.plan);
    const told = this.withPending(message);
    const doc = kept(store.now.doc, told);
    const shot = { ...message, doc: same(doc, message.doc) ? doc : message.doc };
    if (going === null) {
      store.set({ shot, doc, plan });
      return;
    }
    if (!message.transient && !same(told, going.base)) going.base = told;
    const shown = tried(going.base, going.ops);
    store.set({ shot, doc: kept(store.now.doc, shown ?? going.base), plan });
    if (shown === null) this.stop();
  }

  /** What the server told, with edits that it has not seen yet. */
  private withPending(message: ShotMessage): ShotDocument {
    const { doc, welcome, shot } = this.store.now;
    if (message.transient && shot !== null) return welcome?.reader === true ? message.doc : doc;
    this.pending = same(message.doc, doc)
      ? []
      : this.pending.filter((one) => one.rev > message.rev);
    const shown = tried(message.doc, this.pending.flatMap((one) => one.ops));
    if (shown !== null) return shown;
    this.pending = [];
    return message.doc;
  }

  /** Learn which revision the change in flight has become. */
  private number(message: ShotMessage): void {
    const { waiting } = this;
    if (waiting?.rev !== 0 || !message.transient) return;
    if (message.rev > waiting.after) waiting.rev = message.rev;
  }

  /** A motion of a revision has come, or there is none for it: the next change may go. */
  answered(rev: number): void {
    const { waiting, going } = this;
    if (waiting === null || waiting.rev === 0 || rev < waiting.rev) return;
    this.waiting = null;
    this.onAnswer(waiting.movedAt);
    if (going !== null) this.flush(going);
  }

  /** Something was refused: what the server has is shown. */
  refused(): void {
    this.waiting = null;
    this.pending = [];
    const { shot } = this.store.now;
    if (this.going === null && shot !== null) this.store.set({ doc: shot.doc });
  }

  /** The line was lost: what was sent of a drag is unknown to the next server. */
  lost(): void {
    this.waiting = null;
    this.pending = [];
    this.ahead = 0;
    if (this.going !== null) {
      const { base } = this.going;
      this.going = null;
      this.store.set({ doc: base, isDragging: false });
    }
  }
}

/** What was known already where it is the same, so that nothing is drawn anew for it. */
function kept<T>(before: T, now: T): T {
  return same(before, now) ? before : now;
}

function tried(doc: ShotDocument, ops: Op[]): ShotDocument | null {
  try {
    const shown = apply(doc, ops);
    return same(shown, doc) ? doc : shown;
  } catch (error) {
    if (error instanceof Conflict) return null;
    throw error;
  }
}
