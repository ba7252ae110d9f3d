/** What became of the shot: values beside their limits, problems, and ways to them. */

import type { Playback } from "../../playback";
import type { CharacterReport, Figure, MeetingReport, Naturalness } from "../../net/messages";
import { clock } from "../doc/times";
import { button, make } from "../shell/dom";
import { amount, leastNatural } from "../timeline/natural";
import { insteadOf } from "../shell/status";
import { goToTrouble, sentenceOf } from "../shell/trouble";
import type { State, Store } from "../store";

interface Tools {
  store: Store;
  playback: Playback;
  choose: (id: string) => void;
}

type Go = (frame: number) => HTMLElement;

export function makeReportPanel(tools: Tools): HTMLElement {
  const { store } = tools;
  const element = make("div", { class: "report-panel" });
  store.onCalm(["report", "reportRev", "shot", "shownAs", "who", "plan", "making", "idleRev", "naturalness"], (state) => {
    const own = state.who === null ? undefined : state.report[state.who];
    element.replaceChildren(
      ...fileParts(state, store),
      ...(own === undefined || state.who === null
        ? [make("p", { class: "quiet" }, "Figures come with the first search.")]
        : reportParts(state.who, own, tools)),
    );
  });
  return element;
}

/** What is wrong with the file, with its line and a way to its fields. */
function fileParts(state: State, store: Store): HTMLElement[] {
  const problems = state.shot?.problems ?? [];
  if (problems.length === 0) return [];
  const rows = problems.map((problem) => {
    const row = make("li", { class: "bad" }, make("span", {}, `${sentenceOf(problem)} `));
    if (problem.hint) row.append(make("span", { class: "quiet" }, `${problem.hint} `));
    const [first] = Array.isArray(problem.path) ? problem.path : [];
    if (first !== undefined) row.append(button("Go there", () => { goToTrouble(store, problem); }));
    return row;
  });
  const what = `This cannot be made as it is written; what you see is ${insteadOf(state)}.`;
  return [
    ...[make("h2", {}, "The file"), make("p", { class: "bad" }, what)],
    make("ul", { class: "problems" }, ...rows),
  ];
}

/** Which motion the figures are of. */
export function measuredText(state: State): string {
  const { shot, reportRev, reportQuality, making, idleRev } = state;
  if (shot !== null && reportRev < shot.rev) {
    return shot.problems.length > 0
      ? "Measured on the last motion that could be made, not on what is written."
      : "Measured before your last change; new figures come with the search.";
  }
  if (reportQuality === "final") return "Measured on the shot as the command line makes it.";
  const more = making === null && idleRev >= (shot?.rev ?? 0) ? "" : " The search still goes on.";
  return `Measured on the quick version.${more} Finish, and every export, search longer: their figures may differ.`;
}

function reportParts(who: string, own: CharacterReport, tools: Tools): HTMLElement[] {
  const fps = tools.store.fps;
  const go: Go = (frame) =>
    button(clock(frame / fps), () => {
      tools.playback.pause();
      tools.playback.seek(frame);
    }, { title: "Go to this frame", class: "to-frame" });
  const parts: HTMLElement[] = [make("h2", {}, who)];
  parts.push(make("p", { class: "quiet measured" }, measuredText(tools.store.now)));
  parts.push(summaryTable(own.summary));
  if (own.worst) {
    parts.push(make("p", { class: "worst" }, `Worst frame: ${own.worst.why} `, go(own.worst.frame)));
  }
  parts.push(...naturalParts(tools.store.now.naturalness?.[who], go));
  parts.push(make("h3", {}, "Problems"), problemList(who, own, tools));
  if (own.meetings?.length) parts.push(make("h3", {}, "Meetings"), meetingList(own.meetings, fps, go));
  parts.push(make("h3", {}, "Joins"), ...joinParts(own, go));
  return parts;
}

/** Moments so few that all of them are read. */
const MOST_ODD = 3;

/** Where the motion is least natural, with a way there. */
function naturalParts(own: Naturalness | undefined, go: Go): HTMLElement[] {
  if (own === undefined) return [];
  const old = own.isOld === true ? " Measured before the last change." : "";
  const odd = leastNatural(own, MOST_ODD);
  if (odd.length === 0) {
    const text = `Least natural: ${amount(own.worst.value)}.${old} `;
    return [make("p", { class: "natural" }, text, go(own.worst.frame))];
  }
  const rows = odd.map((one) =>
    make("li", {}, `${amount(one.value)}: ${one.words} `, go(one.frame)));
  const more = own.stretches.length - odd.length;
  const rest = more > 0 ? ` And ${String(more)} more.` : "";
  return [
    make("p", { class: "natural" }, `Least natural, beyond 99 of 100 captured moments:${rest}${old}`),
    make("ul", { class: "natural" }, ...rows),
  ];
}

/** Sentences about spans; all that is known, each once. */
export function problemsOf(own: CharacterReport): string[] {
  const ofSpans = own.spans.flatMap((span) => span.problems.map((text) => `${span.id}: ${text}`));
  return [...new Set(own.problems ?? ofSpans)];
}

function problemList(who: string, own: CharacterReport, tools: Tools): HTMLElement {
  const problems = problemsOf(own);
  if (problems.length === 0) {
    const isWorst = own.worst ? " The worst frame is worth a look." : "";
    return make("p", { class: "quiet" }, `None in this measurement.${isWorst}`);
  }
  return make("ul", { class: "problems" }, ...problems.map((text) => problemRow(who, text, tools)));
}

function problemRow(who: string, text: string, tools: Tools): HTMLElement {
  const row = make("li", { class: "bad" }, `${text} `);
  const { plan } = tools.store.now;
  const planned = plan?.tracks[who]?.find((one) => text.startsWith(`${one.id}: `));
  if (planned === undefined) return row;
  row.append(button("Go there", () => {
    tools.choose(`tracks/${who}/${String(planned.index)}`);
    tools.playback.seek(planned.first);
  }));
  return row;
}

/** Three digits tell enough. */
export function shortened(value: number | string): string {
  if (typeof value !== "number") return value;
  return Math.abs(value) < 0.005 ? "0" : String(Number(value.toPrecision(3)));
}

/** A figure, its mark, and its limit: a figure within its limit is good, whatever it is. */
export function marked(value: number | string, limit: number | undefined, good?: boolean): string {
  if (good === undefined) return shortened(value);
  const most = limit !== undefined && Number.isFinite(limit) ? ` ≤ ${shortened(limit)}` : "";
  const sign = good ? "✓" : "!";
  return `${shortened(value)} ${sign}${good || most === "" ? most : most.replace("≤", ">")}`;
}

function summaryTable(figures: Figure[]): HTMLElement {
  const titles = ["", "here, and its limit", "captured"];
  const head = make("tr", {}, ...titles.map((text) => make("th", { scope: "col" }, text)));
  const rows = figures.map((one) =>
    make(
      "tr", {},
      make("th", { scope: "row" }, one.label),
      make("td", { class: one.good === false ? "bad" : "" }, marked(one.value, one.limit, one.good)),
      make("td", {}, shortened(one.captured ?? "")),
    ),
  );
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
}

export function meetingText(one: MeetingReport): string {
  if (one.problems.length > 0) return `${one.label}: ${one.problems.join(" and ")}`;
  const joints = typeof one.joints === "number" ? `, what meets ${shortened(1000 * one.joints)} mm` : "";
  const place = `${shortened(1000 * one.place)} mm and ${shortened(one.facing)}°`;
  return `${one.label}: met, ${place} off${joints} `;
}

function meetingList(meetings: MeetingReport[], fps: number, go: Go): HTMLElement {
  const rows = meetings.map((one) =>
    make("li", { class: one.problems.length > 0 ? "bad" : "" }, `${meetingText(one)} `, go(Math.round(one.time * fps))),
  );
  return make("ul", { class: "problems meetings" }, ...rows);
}

function joinParts(own: CharacterReport, go: Go): HTMLElement[] {
  if (own.joins.length === 0) return [make("p", { class: "quiet" }, "None.")];
  const titles = ["between", "harder by, and its limit", ""];
  const head = make("tr", {}, ...titles.map((text) => make("th", { scope: "col" }, text)));
  const rows = own.joins.flatMap((one) => {
    const name = make("th", { scope: "row" }, `${one.before} → ${one.after}`);
    const isHard = !(one.acceleration <= one.limit);
    const value = make("td", { class: isHard ? "bad" : "" }, marked(one.acceleration, one.limit, !isHard));
    const row = make("tr", {}, name, value, make("td", {}, go(one.frame)));
    const why = one.ok ? [] : (one.why ?? []);
    if (why.length === 0) return [row];
    return [row, make("tr", {}, make("td", { class: "bad why", colspan: 3 }, `! ${why.join("; ")}`))];
  });
  const what = "Harder by: how much more joints accelerate than in the two spans.";
  return [
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)),
    make("p", { class: "quiet" }, what),
  ];
}
