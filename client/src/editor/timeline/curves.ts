/** Under the lanes: how far off what was asked, and how natural, with a way to the worst frame. */

import type { Playback } from "../../playback";
import { button, make, setText } from "../shell/dom";
import type { Store } from "../store";
import type { Scale } from "./scale";
import { badnessOf, worstNear } from "./badness";
import { drawBadness, drawError, sheetOf } from "./strips";

const HEIGHT = 26;
const WHAT = "How far body and joints are off their keys, where a key holds; red beyond 5 cm.";
/** A click goes to the worst frame that is this near, seconds. */
const NEAR = 0.75;

export function makeCurves(
  tools: { store: Store; playback: Playback }, scale: Scale,
): { element: HTMLElement; draw: (width: number, from: number) => void } {
  const { store, playback } = tools;
  const error = make("canvas", { class: "strip" });
  const natural = make("canvas", { class: "strip" });
  const most = make("span", { class: "most" });
  const name = make("span", {}, "Natural");
  let from = 0;

  const series = () => store.now.report[store.now.who ?? ""]?.series;
  const goWorst = (frame: number, within: number): void => {
    const own = series();
    if (own === undefined) return;
    playback.pause();
    playback.seek(worstNear(own, frame, within));
  };
  const clicked = (event: PointerEvent): void => {
    const left = (event.currentTarget as HTMLElement).getBoundingClientRect().left;
    const time = from + scale.seconds(event.clientX - left);
    goWorst(Math.round(time * store.fps), Math.round(NEAR * store.fps));
  };
  for (const canvas of [error, natural]) canvas.addEventListener("pointerdown", clicked);
  const worst = button("Worst", () => { goWorst(0, Number.MAX_SAFE_INTEGER); }, {
    title: "Go to the frame that is worst",
  });
  const rows = [
    make("div", { class: "lane" }, make("div", { class: "lane-name", title: WHAT }, "Error ", most), error),
    make("div", { class: "lane" }, make("div", { class: "lane-name" }, name, worst), natural),
  ];
  const element = make("div", { class: "tl-curves" }, ...rows);

  const draw = (width: number, begin: number): void => {
    from = begin;
    const own = series();
    const top = sheetOf(error, width, HEIGHT, from, store.fps, scale);
    const bottom = sheetOf(natural, width, HEIGHT, from, store.fps, scale);
    worst.disabled = own === undefined;
    if (own?.error !== undefined && top !== null) {
      setText(most, errorText(drawError(top, own.error)));
    }
    if (own === undefined || bottom === null) return;
    const bad = badnessOf(own);
    setText(name, bad.label);
    drawBadness(bottom, bad.values);
  };
  return { element, draw };
}

/** The most that a key is missed by. */
export const errorText = (most: number): string => {
  if (Number.isNaN(most)) return "no keys";
  return most < 0.01 ? `${(1000 * most).toFixed(0)} mm` : `${(100 * most).toFixed(0)} cm`;
};
