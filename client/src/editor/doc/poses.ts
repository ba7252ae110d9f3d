/** Poses of spans that go from pose to pose. */

import type { Plan } from "../../net/messages";
import { at, type Fields, isFields, type ShotDocument, type When } from "./document";
import { trackPath } from "./spans";
import { seconds, shifted } from "./times";

/** A pose more comes so long after the last, seconds. */
const LATER = 1;

/** A pose behind the last, at a time told as that one's is; null where there is none. */
export function addedPose(
  doc: ShotDocument, plan: Plan, who: string, index: number,
): Fields | null {
  const keys = at(doc, [...trackPath(who, index), "keys"]);
  const last = Array.isArray(keys) ? keys.filter(isFields).at(-1) : undefined;
  if (last === undefined) return null;
  const time = shifted(relative(last["time"] as When, doc, plan, who, index), LATER);
  return { time, clip: last["clip"] ?? "", frame: last["frame"] ?? 0 };
}

/** A pose's time from its span's begin, so that it keeps its distance where that moves. */
export function relative(
  when: When, doc: ShotDocument, plan: Plan, who: string, index: number,
): When {
  const planned = plan.tracks[who]?.find((one) => one.index === index);
  const time = seconds(when, doc, plan, who);
  if (typeof when === "string" || planned === undefined || time === null) return when;
  return shifted(`${planned.id}.start`, time - planned.first / plan.fps);
}
