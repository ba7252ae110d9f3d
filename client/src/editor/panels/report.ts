/** What became of the shot: values beside the captured ones, problems, and ways to them. */

import type { Playback } from "../../playback";
import type { CharacterReport, Problem } from "../../net/messages";
import { clock } from "../doc/times";
import { button, make } from "../shell/dom";
import type { Store } from "../store";

interface Tools {
  store: Store;
  playback: Playback;
  choose: (id: string) => void;
}

export function makeReportPanel(tools: Tools): HTMLElement {
  const { store } = tools;
  const element = make("div", { class: "report-panel" });
  store.onCalm(["report", "shot", "who", "plan"], (state) => {
    const own = state.who === null ? undefined : state.report[state.who];
    const problems = (state.shot?.problems ?? []).map((one) => problemRow(one, tools));
    element.replaceChildren(
      ...(problems.length > 0 ? [make("h2", {}, "The file"), make("ul", { class: "problems" }, ...problems)] : []),
      ...(own === undefined || state.who === null ? [waiting()] : reportParts(state.who, own, tools)),
    );
  });
  return element;
}

const waiting = (): HTMLElement =>
  make("p", { class: "quiet" }, "The report comes when a search has ended.");

function problemRow(problem: Problem, tools: Tools): HTMLElement {
  const line = problem.line === undefined ? "" : `line ${String(problem.line)}: `;
  const parts = [make("span", {}, `${line}${problem.message}`)];
  if (problem.hint) parts.push(make("span", { class: "quiet" }, ` ${problem.hint}`));
  const row = make("li", { class: "bad" }, ...parts);
  const path = Array.isArray(problem.path) ? problem.path : [];
  if (path[0] === "tracks" && path.length > 2) {
    row.append(button("Go there", () => { tools.choose(path.slice(0, 3).join("/")); }));
  }
  return row;
}

function reportParts(who: string, own: CharacterReport, tools: Tools): HTMLElement[] {
  const fps = tools.store.fps;
  const go = (frame: number): HTMLElement =>
    button(`Go to ${clock(frame / fps)}`, () => {
      tools.playback.pause();
      tools.playback.seek(frame);
    });
  const parts: HTMLElement[] = [make("h2", {}, who), summaryTable(own)];
  if (own.worst) {
    const text = `Worst frame: ${own.worst.why} `;
    parts.push(make("p", { class: "worst" }, text, go(own.worst.frame)));
  }
  const bad = own.spans.flatMap((span) => span.problems.map((text) => ({ span: span.id, text })));
  parts.push(make("h3", {}, "Problems"));
  parts.push(
    bad.length === 0
      ? make("p", { class: "quiet" }, "None: all that was asked is met.")
      : make("ul", { class: "problems" }, ...bad.map(({ span, text }) => spanProblem(who, span, text, tools))),
  );
  parts.push(make("h3", {}, "Joins"), joinTable(own, go));
  return parts;
}

function summaryTable(own: CharacterReport): HTMLElement {
  const head = make("tr", {}, ...["", "here", "captured"].map((text) => make("th", { scope: "col" }, text)));
  const rows = own.summary.map((one) => {
    const mark = one.good === undefined ? "" : one.good ? "✓" : "!";
    const value = make("td", { class: one.good === false ? "bad" : "" }, `${shortened(one.value)} ${mark}`);
    const captured = make("td", {}, shortened(one.captured ?? ""));
    return make("tr", {}, make("th", { scope: "row" }, one.label), value, captured);
  });
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
}

/** Three digits tell enough. */
export function shortened(value: number | string): string {
  if (typeof value !== "number") return value;
  return Math.abs(value) < 0.005 ? "0" : String(Number(value.toPrecision(3)));
}

function spanProblem(who: string, span: string, text: string, tools: Tools): HTMLElement {
  const jump = button("Go there", () => {
    const planned = tools.store.now.plan?.tracks[who]?.find((one) => one.id === span);
    if (planned === undefined) return;
    tools.choose(`tracks/${who}/${String(planned.index)}`);
    tools.playback.seek(planned.first);
  });
  return make("li", { class: "bad" }, `${span}: ${text} `, jump);
}

function joinTable(own: CharacterReport, go: (frame: number) => HTMLElement): HTMLElement {
  const titles = ["join", "harder by", "limit", ""];
  const head = make("tr", {}, ...titles.map((text) => make("th", { scope: "col" }, text)));
  const rows = own.joins.map((one) =>
    make(
      "tr",
      { class: one.ok ? "" : "bad" },
      make("th", { scope: "row" }, `${one.before} → ${one.after}`),
      make("td", {}, `${shortened(one.acceleration)} ${one.ok ? "✓" : "!"}`),
      make("td", {}, shortened(one.limit)),
      make("td", {}, go(one.frame)),
    ),
  );
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
}
