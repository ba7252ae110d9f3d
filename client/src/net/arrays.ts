/** Bytes of messages as arrays of numbers; they are little endian, as all machines here are. */

import type { Character, MotionPart } from "../model";
import type { CharacterReport, ServerMessage } from "./messages";

type Made<T> = new (buffer: ArrayBuffer, offset: number, length: number) => T;

/** Bytes as numbers; copied where they are not aligned. */
export function view<T>(bytes: unknown, kind: Made<T> & { BYTES_PER_ELEMENT: number }): T {
  const given = bytes instanceof Uint8Array ? bytes : new Uint8Array();
  const own = given.slice();
  return new kind(own.buffer, 0, Math.floor(own.byteLength / kind.BYTES_PER_ELEMENT));
}

/** A message whose bytes are arrays of the numbers that they are. */
export function withArrays(message: ServerMessage): ServerMessage {
  if (message.type === "character") return { ...message, ...characterArrays(message) };
  if (message.type === "motion") return { ...message, ...motionArrays(message) };
  if (message.type !== "report") return message;
  const who = Object.entries(message.who).map(([name, one]) => [name, reportArrays(one)] as const);
  return { ...message, who: Object.fromEntries(who) };
}

function characterArrays(one: Character): Partial<Character> {
  const { skin } = one;
  return {
    offsets: view(one.offsets, Float32Array),
    sides: view(one.sides, Int8Array),
    skin: skin && {
      vertices: view(skin.vertices, Float32Array),
      faces: view(skin.faces, Uint32Array),
      joints: view(skin.joints, Uint16Array),
      weights: view(skin.weights, Float32Array),
    },
  };
}

function motionArrays(part: MotionPart): Partial<MotionPart> {
  return { quats: view(part.quats, Int16Array), root: view(part.root, Float32Array) };
}

function reportArrays(one: CharacterReport): CharacterReport {
  const series = Object.entries(one.series).map(([name, bytes]) => [
    name,
    view(bytes, Float32Array),
  ]);
  return { ...one, series: Object.fromEntries(series) as CharacterReport["series"] };
}
