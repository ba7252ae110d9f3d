/** What the bar on top says of the shot, and what is said over the view. */

import type { State } from "../store";
import { sentenceOf } from "./trouble";

export interface Status {
  kind: "good" | "busy" | "bad";
  text: string;
  /** More about it, as a tooltip. */
  title: string;
  /** 0 to 1; none where there is no bar. */
  share: number | null;
}

const PLAIN = { title: "", share: null };

/** What is wrong, as far as something is. */
function trouble({ solver, shot }: State): Status | null {
  if (solver?.state === "crashed") {
    const text = solver.message ?? "what makes motions ended; it is started again";
    return { ...PLAIN, kind: "bad", text };
  }
  const [problem] = shot?.problems ?? [];
  if (problem === undefined) return null;
  const text = sentenceOf(problem);
  const title = [text, problem.hint ?? "", "Click: the report, and where it is mended."];
  return { kind: "bad", text, title: title.filter(Boolean).join("\n"), share: null };
}

/** What the bar on top says of the shot. */
export function statusOf(state: State): Status {
  const wrong = trouble(state);
  if (wrong !== null) return wrong;
  const { shot, making, isExporting, shownRev, idleRev } = state;
  if (isExporting) return { ...PLAIN, kind: "busy", text: "writing the file" };
  if (state.welcome?.reader && state.welcome.writer === "studio") {
    return { ...PLAIN, kind: "good", text: "made by the other studio" };
  }
  if (shot === null) return { ...PLAIN, kind: "busy", text: "" };
  if (making !== null) {
    const text = shownRev <= 0 ? "preview: making your shot" : making.phase;
    return { kind: "busy", text, title: making.detail, share: making.share };
  }
  return idleRev >= shot.rev
    ? { ...PLAIN, kind: "good", text: "settled" }
    : { ...PLAIN, kind: "busy", text: "preview" };
}

/** What is said over the view where it shows something else than what is written; else nothing. */
export function caveatOf(state: State): string {
  const { shot, shownRev, plan, isDragging } = state;
  if (shot !== null && shot.problems.length > 0 && !isDragging) {
    return "Not what is written: the last motion that could be made";
  }
  return shownRev === 0 && plan !== null ? "A captured clip, until your shot is made" : "";
}
