/** A walker as the library packs it, with what the library makes of it. */
import { readFileSync } from "node:fs";
import { decodeCharacter, decodeMotion, type Raw } from "../src/codec/decode";
import { unpack } from "../src/codec/inline";
import type { Character, MotionPart } from "../src/model";

export interface Fixture {
  character: Character;
  motion: MotionPart;
  frames: number[];
  positions: number[][][];
  between: number[][];
  step: number;
  skin: number[][][];
}

export async function readFixture(): Promise<Fixture> {
  const text = readFileSync(new URL("fixtures/walker.json", import.meta.url), "utf-8");
  const raw = (await unpack(JSON.parse(text))) as Raw;
  return {
    ...(raw as unknown as Fixture),
    character: decodeCharacter(raw.character as Raw),
    motion: decodeMotion(raw.motion as Raw),
  };
}
