/** Under the lanes: how far off what was asked, and how natural, with a way to the worst frame. */

import type { Playback } from "../../playback";
import { button, make, setText } from "../shell/dom";
import type { Store } from "../store";
import type { Scale } from "./scale";
import { drawError, drawNaturalness, sheetOf, worstNear } from "./strips";

const HEIGHT = 26;
/** A click goes to the worst frame that is this near, seconds. */
const NEAR = 0.75;

export function makeCurves(
  tools: { store: Store; playback: Playback }, scale: Scale,
): { element: HTMLElement; draw: (width: number, from: number) => void } {
  const { store, playback } = tools;
  const error = make("canvas", { class: "strip" });
  const natural = make("canvas", { class: "strip" });
  const most = make("span", { class: "most" });
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
    make("div", { class: "lane" }, make("div", { class: "lane-name" }, "Error ", most), error),
    make("div", { class: "lane" }, make("div", { class: "lane-name" }, "Natural ", worst), natural),
  ];
  const element = make("div", { class: "curves" }, ...rows);

  const draw = (width: number, begin: number): void => {
    from = begin;
    const own = series();
    const top = sheetOf(error, width, HEIGHT, from, store.fps, scale);
    const bottom = sheetOf(natural, width, HEIGHT, from, store.fps, scale);
    worst.disabled = own === undefined;
    if (own?.error !== undefined && top !== null) {
      setText(most, `${(100 * drawError(top, own.error)).toFixed(0)} cm`);
    }
    if (own?.naturalness !== undefined && bottom !== null) drawNaturalness(bottom, own.naturalness);
  };
  return { element, draw };
}
