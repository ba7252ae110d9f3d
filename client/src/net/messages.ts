/** What studio and server say to each other; maps with a `type`, packed by msgpack. */

import type { Character, MotionPart, Origin, Quality } from "../model";
import type { Path, ShotDocument, Value } from "../editor/doc/document";

/** One change of the document that can be taken back. */
export type Op =
  | { op: "set"; path: Path; value: Value; old: Value | null }
  | { op: "remove"; path: Path; old: Value }
  | { op: "insert"; path: Path; value: Value };

export type ExportFormat = "glb" | "bvh" | "fbx" | "html" | "usda" | "report" | "png";

export type ClientMessage =
  | { type: "hello"; protocol: 1 }
  | {
      type: "edit";
      base_rev: number;
      ops: Op[];
      label: string;
      transient?: boolean;
      drag?: string;
    }
  | { type: "undo" }
  | { type: "redo" }
  | { type: "cancel"; drag: string }
  | { type: "solve"; quality: "search" | "final" }
  | { type: "alternatives"; who: string; span: string }
  | { type: "choose"; who: string; span: string; item: string }
  | { type: "upload"; id: string; name: string; size: number; sha256: string }
  | { type: "chunk"; id: string; offset: number; data: Uint8Array }
  | { type: "export"; format: ExportFormat }
  | { type: "view"; who: string; frame: number }
  | { type: "new"; names: string[]; library: string };

export interface PlannedSpan {
  id: string;
  kind: string;
  /** In the document's track. */
  index: number;
  /** Frames, both included. */
  first: number;
  last: number;
  /** Whether it lies over other spans. */
  layer: boolean;
}

export interface Plan {
  fps: number;
  frames: number;
  tracks: Record<string, PlannedSpan[]>;
  marks?: Record<string, unknown>;
  meetings?: PlannedMeeting[];
}

export interface PlannedMeeting {
  /** In the document's list. */
  index: number;
  name: string;
  between: [string, string];
  /** Frames, both included. */
  first: number;
  last: number;
}

export interface Problem {
  path?: Path | string;
  line?: number;
  message: string;
  hint?: string;
  /** Which file did not come, or which format could not be made. */
  id?: string;
  format?: string;
  /** Nothing is wrong: something went well. */
  isGood?: boolean;
}

export interface ShotMessage {
  type: "shot";
  rev: number;
  doc: ShotDocument;
  transient: boolean;
  can_undo: boolean;
  can_redo: boolean;
  undo_label?: string;
  redo_label?: string;
  saved: boolean;
  problems: Problem[];
  plan: Plan | null;
}

export interface SpanReport {
  id: string;
  kind: string;
  rows: string[];
  problems: string[];
  notes: string[];
  kept?: boolean;
}

export interface JoinReport {
  before: string;
  after: string;
  frame: number;
  acceleration: number;
  limit: number;
  ok: boolean;
  /** What of it is beyond its limit. */
  why?: string[];
}

export interface MeetingReport {
  label: string;
  /** Seconds. */
  time: number;
  /** Metres, degrees, metres: how far off. */
  place: number;
  facing: number;
  joints?: number | null;
  problems: string[];
}

/** A figure beside that of the captures, and the most that it may be. */
export interface Figure {
  label: string;
  value: string | number;
  captured?: string | number;
  good?: boolean;
  limit?: number;
}

export interface Series {
  /** Metres, NaN where nothing is asked. */
  error?: Float32Array;
  /** cm/s */
  skate?: Float32Array;
}

/** Frames that are odd for one reason, both included. */
export interface OddStretch {
  first: number;
  last: number;
  /** The oddest of them, and how odd it is. */
  frame: number;
  value: number;
  words: string;
}

/** How natural a motion is among the captures, frame by frame. */
export interface Naturalness {
  /** 0 is usual, 1 what 99 of 100 captured moments stay below. */
  values: Float32Array;
  /** All that is beyond 1, in the order of time. */
  stretches: OddStretch[];
  /** The oddest moment, even where it is not beyond 1. */
  worst: OddStretch;
  /** Whether the motion has changed since. */
  isOld?: boolean;
}

export interface Piece {
  span: string;
  first: number;
  last: number;
  clip: string;
  frame: number;
}

export interface CharacterReport {
  spans: SpanReport[];
  joins: JoinReport[];
  series: Series;
  worst?: { frame: number; why: string } | null;
  summary: Figure[];
  pieces: Piece[];
  /** Whether the motion has changed since. */
  isOld?: boolean;
  keys?: { span: string; path: Path; kind: string; time: number; error_mm: number }[];
  problems?: string[];
  meetings?: MeetingReport[];
}

export interface Alternative {
  id: string;
  score: number;
  path: [number, number][];
  rows?: string[];
  /** Whether it is the one that the shot shows. */
  shown?: boolean;
}

export interface Library {
  clips: { name: string; seconds: number; labels: string[] }[];
  styles: string[];
  models: string[];
  /** Whether the body of the clips can wait. */
  waits?: boolean;
}

export type ServerMessage =
  | {
      type: "welcome";
      protocol: number;
      version: string;
      file: string;
      reader: boolean;
      /** Who writes, where this window only looks on. */
      writer?: "window" | "studio";
      /** Endings of files that can be brought. */
      kinds?: string[];
      limits: Record<string, number>;
    }
  | ShotMessage
  | ({ type: "character" } & Character)
  | ({ type: "motion" } & MotionPart)
  | { type: "report"; rev: number; origin?: Origin; quality: Quality; who: Record<string, CharacterReport> }
  | { type: "naturalness"; rev: number; who: Record<string, Naturalness> }
  | { type: "progress"; rev: number; stage: string; who?: string; done: number; total: number }
  | { type: "idle"; rev: number }
  | { type: "alternatives"; who: string; span: string; items: Alternative[] }
  | ({ type: "library" } & Library)
  | { type: "uploaded"; id: string; name: string; clips: string[]; note?: string }
  | { type: "exported"; format: string; url: string; name: string }
  | { type: "gone"; who: string }
  | ({ type: "problem" } & Problem)
  | { type: "note"; message: string }
  | { type: "bent"; who: string; span: string }
  | { type: "solver"; state: "starting" | "ready" | "crashed" | "restarted"; message?: string };
