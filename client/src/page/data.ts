/** What a static page holds, read from the JSON that lies in it. */
import { decodeCharacter, decodeCloud, decodeMotion, type Raw } from "../codec/decode";
import { unpack } from "../codec/inline";
import type { Character, Cloud, Drawable, MotionPart } from "../model";

export interface Legend {
  text: string;
  color: string;
}

export interface PageData {
  title: string;
  facts: string;
  /** Frames per second and frames of the first file, in which frames are counted. */
  fps: number;
  frames: number;
  characters: Character[];
  motions: MotionPart[];
  clouds: Cloud[];
  drawables: Drawable[];
  legend: Legend[];
  /** What the colours of points mean, and the steps of their ramp. */
  meaning: string;
  ramp: Legend[];
  /** Whether figures stand side by side, each with its name behind it. */
  captions: boolean;
  /** Azimuth (from +Z towards +X) and elevation from which it is first seen, degrees. */
  camera: [number, number];
}

export async function readPage(text: string): Promise<PageData> {
  const raw = (await unpack(JSON.parse(text))) as Raw;
  const many = (name: string): Raw[] => (raw[name] ?? []) as Raw[];
  return {
    title: String(raw.title),
    facts: String(raw.facts),
    fps: Number(raw.fps),
    frames: Number(raw.frames),
    characters: many("characters").map(decodeCharacter),
    motions: many("motions").map(decodeMotion),
    clouds: many("clouds").map(decodeCloud),
    drawables: many("drawables") as unknown as Drawable[],
    legend: many("legend") as unknown as Legend[],
    meaning: String(raw.meaning ?? ""),
    ramp: many("ramp") as unknown as Legend[],
    captions: Boolean(raw.captions),
    camera: (raw.camera ?? [38, 18]) as [number, number],
  };
}
