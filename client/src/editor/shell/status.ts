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

/** What is shown while the file cannot be made. */
const INSTEAD: Record<State["shownAs"], string> = {
  shot: "the last motion that could be made",
  older: "what was made before the last edits",
  captured: "a captured clip, as nothing of this shot was made yet",
  nothing: "nothing, as nothing of this shot was made yet",
};

export const insteadOf = ({ shownAs }: State): string => INSTEAD[shownAs];

/** What is said over the view where it shows something else than what is written; else nothing. */
export function caveatOf(state: State): string {
  const { shot, shownAs, plan, isDragging } = state;
  if (shot !== null && shot.problems.length > 0 && !isDragging) {
    return `Not what is written: ${insteadOf(state)}`;
  }
  if (plan === null || isDragging) return "";
  if (shownAs === "captured") return "A captured clip, until your shot is made";
  if (shownAs === "older") return "From before the last edits, until your shot is made";
  return unmadeOf(state);
}

/** What is said where a span has no motion yet on the frame that is shown; else nothing. */
function unmadeOf({ plan, frame, made, making, who }: State): string {
  if (made.size === 0) return "";
  const rows = Object.entries(plan?.tracks ?? {}).sort(([a], [b]) => Number(b === who) - Number(a === who));
  const here = rows.flatMap(([name, row]) =>
    row.filter((one) => one.first <= frame && frame <= one.last && !made.has(`${name}/${one.id}`)));
  const [span] = here;
  if (span === undefined) return "";
  return making === null ? `${span.id} is not made yet` : `${span.id} is being made`;
}
