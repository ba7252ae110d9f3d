/** Bytes of messages as arrays of numbers. */

import { decodeCharacter, decodeMotion, floats, type Raw } from "../codec/decode";
import type { CharacterReport, ServerMessage } from "./messages";

/** A message whose bytes are arrays of the numbers that they are. */
export function withArrays(message: ServerMessage): ServerMessage {
  const raw = message as unknown as Raw;
  if (message.type === "character") return { type: "character", ...decodeCharacter(raw) };
  if (message.type === "motion") return { type: "motion", ...decodeMotion(raw) };
  if (message.type === "naturalness") {
    const own = Object.entries(message.who).map(
      ([name, one]) => [name, { ...one, values: floats(one.values) }] as const,
    );
    return { ...message, who: Object.fromEntries(own) };
  }
  if (message.type !== "report") return message;
  const who = Object.entries(message.who).map(([name, one]) => [name, reportArrays(one)] as const);
  return { ...message, who: Object.fromEntries(who) };
}

function reportArrays(one: CharacterReport): CharacterReport {
  const series = Object.entries(one.series)
    .filter(([, bytes]) => (bytes as unknown) instanceof Uint8Array)
    .map(([name, bytes]) => [name, floats(bytes)] as const);
  return { ...one, series: Object.fromEntries(series) as CharacterReport["series"] };
}
