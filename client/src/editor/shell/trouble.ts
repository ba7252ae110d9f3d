/** Where in the studio a problem of the file is mended. */

import type { Problem } from "../../net/messages";
import type { Path } from "../doc/document";
import { idOf } from "../doc/items";
import type { State, Store } from "../store";

/** Parts of the file that have their fields in the panel of the shot. */
const SHOT = new Set<string | number>(["cast", "marks", "avoid", "ground", "meet", "joins", "fps", "seed", "library"]);

/** The tab with its fields, and the entry to choose; null where only its line is known. */
export function placeOf(
  problem: Problem, isThere: (id: string) => boolean,
): { tab: State["tab"]; chosen: string | null } | null {
  const path: Path = Array.isArray(problem.path) ? problem.path : [];
  if (path[0] === "tracks" && path.length > 2) {
    for (let n = path.length; n > 3; n--) {
      const id = idOf(path.slice(0, n));
      if (isThere(id)) return { tab: "span", chosen: id };
    }
    return { tab: "span", chosen: idOf(path.slice(0, 3)) };
  }
  return SHOT.has(path[0] ?? "") ? { tab: "shot", chosen: null } : null;
}

/** Open the fields of what is wrong; whether they are known. */
export function goToTrouble(store: Store, problem: Problem): boolean {
  const who = Array.isArray(problem.path) ? String(problem.path[1] ?? "") : "";
  const place = placeOf(problem, (id) => store.items(who).some((item) => item.id === id));
  if (place === null) return false;
  const { chosen, tab } = place;
  store.set({ tab, ...(chosen === null ? {} : { chosen, who }) });
  return true;
}

/** A problem as it is said in full over the view. */
export const toldOf = (problem: Problem): Problem => ({
  message: sentenceOf(problem),
  ...(problem.hint === undefined ? {} : { hint: problem.hint }),
});

/** What a problem says, with its line. */
export function sentenceOf({ line, message }: Problem): string {
  return `${line === undefined ? "" : `line ${String(line)}: `}${message}`;
}
