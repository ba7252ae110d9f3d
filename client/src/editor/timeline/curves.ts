/** Under the lanes: how far off what was asked, and how natural, with a way to the worst frame. */

import type { Playback } from "../../playback";
import { clock } from "../doc/times";
import { button, make, setText } from "../shell/dom";
import type { Store } from "../store";
import type { Scale } from "./scale";
import { amount, leastNatural, type Strip, stripOf, toldAt, worstNear } from "./natural";
import { drawError, drawNatural, sheetOf } from "./strips";

const HEIGHT = 26;
const WHAT = "How far body and joints are off their keys, where a key holds; red beyond 5 cm.";
const NATURAL = "How far each moment is from captured ones: the dashed line is what 99 of 100 of them"
  + " stay below; what is above it is red. Of feet that slide, where clips are too few.";
/** A click goes to the worst frame that is this near, seconds. */
const NEAR = 0.75;

export function makeCurves(
  tools: { store: Store; playback: Playback }, scale: Scale,
): { element: HTMLElement; draw: (width: number, from: number) => void } {
  const { store, playback } = tools;
  const error = make("canvas", { class: "strip" });
  const natural = make("canvas", { class: "strip natural", role: "img" });
  const most = make("span", { class: "most" });
  const name = make("span", {}, "Naturalness");
  let from = 0;

  const report = () => store.now.report[store.now.who ?? ""];
  const series = () => report()?.series;
  const strip = () =>
    stripOf(series(), store.now.naturalness, store.now.who ?? "", report()?.isOld);
  const goWorst = (frame: number, within: number): void => {
    const { values } = strip();
    const error = series()?.error;
    if (values.length === 0 && error === undefined) return;
    playback.pause();
    playback.seek(worstNear(values, error, frame, within));
  };
  const frameAt = (event: PointerEvent): number => {
    const left = (event.currentTarget as HTMLElement).getBoundingClientRect().left;
    return Math.round((from + scale.seconds(event.clientX - left)) * store.fps);
  };
  const clicked = (event: PointerEvent): void => {
    goWorst(frameAt(event), Math.round(NEAR * store.fps));
  };
  natural.addEventListener("pointermove", (event) => {
    const frame = frameAt(event);
    const own = store.now.naturalness?.[store.now.who ?? ""];
    natural.title = `${clock(frame / store.fps)}: ${toldAt(strip(), own, frame)}`;
  });
  for (const canvas of [error, natural]) canvas.addEventListener("pointerdown", clicked);
  const worst = button("▸", () => { goWorst(0, Number.MAX_SAFE_INTEGER); }, {
    "aria-label": "Worst",
    title: "Go to the frame that is worst",
  });
  const rows = [
    make("div", { class: "lane" }, make("div", { class: "lane-name", title: WHAT }, "Error ", most), error),
    make("div", { class: "lane" }, make("div", { class: "lane-name", title: NATURAL }, name, worst), natural),
  ];
  const element = make("div", { class: "tl-curves" }, ...rows);

  const draw = (width: number, begin: number): void => {
    from = begin;
    const own = series();
    const top = sheetOf(error, width, HEIGHT, from, store.fps, scale);
    const bottom = sheetOf(natural, width, HEIGHT, from, store.fps, scale);
    const shown = strip();
    worst.disabled = own === undefined && shown.values.length === 0;
    if (bottom !== null) {
      setText(name, shown.label);
      natural.setAttribute("aria-label", summaryOf(shown, store));
      natural.dataset.measured = shown.values.length > 0 && !shown.isOld ? "yes" : "no";
      drawNatural(bottom, shown);
    }
    if (top === null) return;
    const worst_ = own?.error === undefined ? null : drawError(top, own.error, report()?.isOld);
    setText(most, worst_ === null ? "" : errorText(worst_));
  };
  return { element, draw };
}

/** What the strip says to whoever does not see it. */
function summaryOf(strip: Strip, store: Store): string {
  const own = store.now.naturalness?.[store.now.who ?? ""];
  if (own === undefined || strip.label !== "Naturalness") return `${strip.label} ${strip.missing}`.trim();
  const worst = leastNatural(own, 1)[0] ?? own.worst;
  const when = clock(worst.frame / store.fps);
  return `Naturalness: the least natural moment is at ${when}, ${amount(worst.value)}`;
}

/** The most that a key is missed by. */
export const errorText = (most: number): string => {
  if (Number.isNaN(most)) return "no keys";
  return most < 0.01 ? `${(1000 * most).toFixed(0)} mm` : `${(100 * most).toFixed(0)} cm`;
};
