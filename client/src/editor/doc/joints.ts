/** Which lane a joint's key is in. */

import type { Character } from "../../model";

export type Part = "hand" | "foot" | "gaze" | "joint";

const GAZE = new Set(["gaze", "eyes", "head"]);

/** The part of the body that a joint, told by name or role, is of. */
export function partOf(joint: string, character?: Character): Part {
  const role = roleOf(joint, character) ?? joint.toLowerCase();
  if (GAZE.has(role)) return "gaze";
  if (/hand|wrist|finger/.test(role)) return "hand";
  if (/foot|toe|ankle/.test(role)) return "foot";
  return "joint";
}

function roleOf(joint: string, character?: Character): string | null {
  const roles = Object.entries(character?.roles ?? {});
  return roles.find(([role, i]) => role === joint || character?.names[i] === joint)?.[0] ?? null;
}

/** A joint's role, else its name: what a file should call it. */
export const calledInFile = (joint: string, character?: Character): string =>
  roleOf(joint, character) ?? joint;

/** "left_hand" as people say it. */
export const spoken = (joint: string): string => joint.replaceAll("_", " ");
