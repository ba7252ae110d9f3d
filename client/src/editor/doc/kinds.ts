/** Kinds of spans: what each is, its fields, and how a new one begins. */

import type { Library } from "../../net/messages";
import type { SpanFields } from "./document";
import { rounded } from "./times";

export type FieldType =
  | "number" | "slider" | "time" | "text" | "place" | "point" | "clip" | "style" | "model"
  | "joint" | "places" | "choice" | "flag";

export interface Field {
  /** In its fields, or its place in a list. */
  key: string | number;
  label: string;
  type: FieldType;
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
  /** What holds where nothing is given. */
  usual?: string;
  /** Shown by a slider where nothing is given. */
  start?: number;
  /** What can be chosen. */
  options?: string[];
}

export interface Kind {
  what: string;
  fields: Field[];
}

const seconds = { type: "number", unit: "s", min: 0, step: 0.1 } as const;
const facing: Field = {
  ...{ key: "facing", label: "Facing", type: "number", unit: "°", min: -360, max: 360, step: 5 },
  usual: "as it comes",
};
const style: Field = { key: "style", label: "Style", type: "style", usual: "any" };
const model: Field = { key: "model", label: "Model", type: "model", usual: "learned from the clips" };

/** When spans that follow each other begin and end. */
export const TIMES: Field[] = [
  { key: "begin", label: "Begins", type: "time", usual: "where the one before ends" },
  { key: "by", label: "Ends by", type: "time", usual: "by its length" },
  { key: "for", label: "Lasts", ...seconds, usual: "until the next one" },
];
export const SEED: Field = {
  ...{ key: "seed", label: "Seed", type: "number", min: 0, step: 1, usual: "from the shot" },
};

export const KINDS: Record<string, Kind> = {
  walk: {
    what: "woven out of captured pieces",
    fields: [{ key: "to", label: "To", type: "place", usual: "anywhere" }, facing, style],
  },
  gait: {
    what: "at any speed along a way",
    fields: [
      { key: "path", label: "Way", type: "places", usual: "straight ahead" },
      {
        ...{ key: "speed", label: "Speed", type: "slider", unit: "m/s", min: 0.2, max: 5 },
        ...{ step: 0.05, usual: "from way and time", start: 1.3 },
      },
      model,
      { key: "person", label: "Person", type: "text", usual: "any" },
      style,
    ],
  },
  idle: {
    what: "waiting, alive",
    fields: [
      {
        ...{ key: "liveliness", label: "Liveliness", type: "slider", min: 0, max: 3, step: 0.05 },
        ...{ usual: "1", start: 1 },
      },
      model,
    ],
  },
  between: { what: "from pose to pose", fields: [] },
  clip: {
    what: "as it was captured",
    fields: [
      { key: "clip", label: "Clip", type: "clip" },
      { key: "from", label: "From", ...seconds, usual: "its begin" },
      { key: "to", label: "To", ...seconds, usual: "its end" },
    ],
  },
  edit: {
    what: "of a motion model",
    fields: [{ key: "model", label: "Model", type: "model" }],
  },
  synthesize: {
    what: "what a constraint file asks for",
    fields: [
      { key: "file", label: "File", type: "text", usual: "the keys here" },
      { key: "character", label: "Plays", type: "text", usual: "of a scene, who has this name" },
      { key: "position", label: "Place", type: "place", usual: "where the body is" },
      facing,
      {
        ...{ key: "generator", label: "Method", type: "choice", usual: "graph" },
        options: ["graph", "gait", "idle", "inbetween", "model"],
      },
      { key: "moved", label: "Moved to the body", type: "flag", usual: "true" },
    ],
  },
  reach: {
    what: "a hand, foot or the eyes at a point",
    fields: [
      { key: "joint", label: "Joint", type: "joint" },
      { key: "target", label: "Point", type: "point" },
      { key: "at", label: "There at", type: "time" },
      { key: "hold", label: "Stays", ...seconds, usual: "a moment" },
      { key: "over", label: "Over", type: "text", usual: "what is there then" },
    ],
  },
  correct: { what: "feet and balance by physics", fields: [] },
};

/** Fields of a key within a span. */
export const KEYS: Record<string, Field[]> = {
  body: [
    { key: "time", label: "At", type: "time" },
    { key: "position", label: "Place", type: "place" },
    facing,
  ],
  joints: [
    { key: "time", label: "At", type: "time" },
    { key: "joint", label: "Joint", type: "joint" },
    { key: "position", label: "Point", type: "point" },
  ],
  pose: [
    { key: "time", label: "At", type: "time" },
    { key: "clip", label: "Clip", type: "clip" },
    { key: "frame", label: "Frame", type: "number", min: 0, step: 1 },
    { key: "position", label: "Place", type: "place", usual: "where the body is" },
    facing,
  ],
  poses: [
    { key: "time", label: "At", type: "time" },
    { key: "clip", label: "Clip", type: "clip" },
    { key: "frame", label: "Frame", type: "number", min: 0, step: 1 },
  ],
  style: [
    { key: "from", label: "From", type: "time" },
    { key: "to", label: "To", type: "time" },
    { key: "label", label: "Style", type: "style" },
  ],
  still: [
    { key: "from", label: "From", type: "time" },
    { key: "to", label: "To", type: "time" },
  ],
  paths: [{ key: "points", label: "Points", type: "places" }],
};

/** A span as it is added. */
export function newSpan(
  kind: string, id: string, time: number, library: Library | null,
): SpanFields {
  const clip = library?.clips[0]?.name ?? "walk";
  const more: Record<string, Omit<SpanFields, "do">> = {
    walk: { for: 3 },
    gait: { speed: 1.3, for: 3 },
    idle: { for: 3 },
    between: { keys: [{ time: rounded(time + 1), clip, frame: 0 }] },
    clip: { clip },
    synthesize: {
      for: 3,
      constraints: { body: [{ time: "100%", position: [0, 2] }] },
      moved: false,
    },
    edit: { model: library?.models[0] ?? "model.npz", for: 2 },
    reach: { joint: "right_hand", target: [0.3, 1.2, 0.5], at: rounded(time), hold: 0.3 },
  };
  return { id, do: kind, ...more[kind] };
}
