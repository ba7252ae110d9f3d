/** The bar below the scene: play, frames, scrubber, speed, and what is shown. */
import type { Playback } from "../playback";
import { button, choice, make, tick } from "./dom";

/** What the reader can switch on and off. */
export interface Switches {
  follow: (on: boolean) => void;
  names: (on: boolean) => void;
  traces: (on: boolean) => void;
  curves: (on: boolean) => void;
  dark: (on: boolean) => void;
  fit: () => void;
}

export interface Counting {
  /** Frames per second and frames of the file, in which frames are counted. */
  fps: number;
  frames: number;
}

const SPEEDS = ["0.1", "0.25", "0.5", "1", "2", "4"] as const;

export class Bar {
  readonly element: HTMLElement;
  private readonly toggle: HTMLButtonElement;
  private readonly slider = make("input", { type: "range", min: "0", step: "1", "aria-label": "frame" });
  private readonly count = make("output", { class: "page-count", id: "frame" });
  private readonly clock = make("output", { class: "page-count" });
  private readonly speed: HTMLSelectElement;

  constructor(
    private readonly playback: Playback,
    private readonly counting: Counting,
    switches: Switches,
    dark: boolean,
  ) {
    this.toggle = button("▶", "play or pause (space, K)", () => {
      playback.toggle();
    });
    this.toggle.classList.add("page-play");
    const back = button("◀❘", "one frame back (left arrow)", () => {
      playback.step(-1);
    });
    const on = button("❘▶", "one frame on (right arrow)", () => {
      playback.step(1);
    });
    this.speed = choice(
      "speed of playing",
      SPEEDS.map((speed) => [speed, `${speed}×`] as const),
      "1",
      (value) => {
        playback.setSpeed(Number(value));
      },
    );
    this.slider.addEventListener("input", () => {
      playback.pause();
      playback.seek(Number(this.slider.value));
    });
    const transport = make("div", { class: "page-row" }, back, this.toggle, on, this.slider, this.count, this.clock, this.speed);
    const shown = make(
      "div",
      { class: "page-row" },
      tick("follow", "the camera follows the body (F)", false, switches.follow),
      tick("names", "names of all joints; without it, of the one under the mouse (N)", false, switches.names),
      tick("traces", "ways of hands and feet around now (T)", false, switches.traces),
      tick("curves", "speeds and contacts over time (C)", playback.total > 1, switches.curves),
      tick("dark", "dark ground (D)", dark, switches.dark),
      button("see all", "see the whole motion (A)", switches.fit),
      make("span", { class: "page-help" }, "drag to look around · right drag to move · scroll to come nearer · space, ← →, J K L, Home, End"),
    );
    this.element = make("section", { class: "page-bar", "aria-label": "playback" }, transport, shown);
    if (playback.total < 2) for (const one of [back, on, this.toggle, this.slider]) one.disabled = true;
    playback.onFrame(() => {
      this.show();
    });
    playback.onState(() => {
      this.show();
    });
    this.show();
  }

  /** Tick or untick a box as if by hand. */
  flip(word: string): void {
    for (const label of this.element.querySelectorAll<HTMLLabelElement>("label.page-tick")) {
      if (label.textContent === word) label.querySelector("input")?.click();
    }
  }

  private show(): void {
    const { playback, counting } = this;
    this.slider.max = String(playback.total - 1);
    this.slider.value = String(Math.round(playback.frame));
    const frame = Math.round((Math.round(playback.frame) / playback.fps) * counting.fps);
    this.count.textContent = `frame ${String(frame)} / ${String(counting.frames - 1)}`;
    this.clock.textContent = `${playback.time.toFixed(2)} s`;
    this.toggle.textContent = playback.playing ? "❚❚" : "▶";
    if (document.activeElement !== this.speed) this.speed.value = String(playback.speed);
  }
}
