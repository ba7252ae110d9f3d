/** Contrast of text and of what is drawn, by the rules of the web (WCAG 2.2, 1.4.3 and 1.4.11). */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PALETTES, type Scheme } from "../src/scene/colors";

const sheet = (name: string): string =>
  readFileSync(new URL(`../src/${name}`, import.meta.url), "utf-8");
const page = sheet("style.css");
const editor = sheet("editor/styles/colors.css");

type Colors = Record<string, string>;

/** What text, and what a graphic that has to be seen, needs. */
const TEXT = 4.5;
const GRAPHIC = 3;

function declared(css: string, selector: string): Colors {
  const at = css.indexOf(`${selector} {`);
  const block = css.slice(at, css.indexOf("}", at));
  return Object.fromEntries([...block.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6})/g)].map(
    ([, name, color]) => [name, color],
  )) as Colors;
}

/** Colours of both style sheets; dark ones over light ones, as a browser takes them. */
function colorsOf(scheme: Scheme): Colors {
  const light = { ...declared(page, ":root"), ...declared(editor, ":root") };
  if (scheme === "light") return light;
  const dark = ':root[data-scheme="dark"]';
  return { ...light, ...declared(page, dark), ...declared(editor, dark) };
}

const channels = (color: string): number[] =>
  [1, 3, 5].map((i) => Number.parseInt(color.slice(i, i + 2), 16) / 255);

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** `color-mix(in srgb, one share, other)`. */
function mixed(one: string, share: number, other: string): string {
  const others = channels(other);
  const parts = channels(one).map((c, i) => Math.round(255 * (share * c + (1 - share) * (others[i] ?? 0))));
  return `#${parts.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

const KINDS = ["walk", "gait", "idle", "between", "clip", "edit", "layer", "doubt"];
const GROUNDS = ["surface", "raised", "panel"];
const WORDS = ["ink", "ink-soft", "soft", "bad", "accent", "focus"];
const DRAWN = [
  ...["good", "bad", "error", "old", "seam", "chosen", "doubt", "focus", "accent", "ink-soft"],
  ...KINDS,
];

it("contrast is counted as the rules count it", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 6);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.478, 3);
  expect(mixed("#ff0000", 0.25, "#0000ff")).toBe("#4000bf");
});

describe.each(["light", "dark"] as const)("on %s", (scheme) => {
  const colors = colorsOf(scheme);
  const of = (name: string): string => {
    const color = colors[name];
    if (color === undefined) throw new Error(`no colour --${name}`);
    return color;
  };

  it.each(WORDS.flatMap((word) => GROUNDS.map((ground) => [word, ground])))(
    "%s is read on %s", (word, ground) => {
      expect(contrast(of(word), of(ground))).toBeGreaterThanOrEqual(TEXT);
    },
  );
  it("a tick that says done is read", () => {
    expect(contrast(of("good"), of("surface"))).toBeGreaterThanOrEqual(TEXT);
  });
  it.each(KINDS)("words on a bar of %s are read, chosen or not", (kind) => {
    for (const share of [0.24, 0.38]) {
      const ground = mixed(of(kind), share, of("surface"));
      expect(contrast(of("ink"), ground)).toBeGreaterThanOrEqual(TEXT);
    }
  });
  it.each(["piece-a", "piece-b"])("names of clips are read on %s", (piece) => {
    expect(contrast(of("ink"), of(piece))).toBeGreaterThanOrEqual(TEXT);
  });
  it.each(DRAWN)("%s is seen on a lane", (name) => {
    expect(contrast(of(name), of("surface"))).toBeGreaterThanOrEqual(GRAPHIC);
  });
  it.each(["piece-a", "piece-b"])("a seam is seen on %s", (piece) => {
    expect(contrast(of("seam"), of(piece))).toBeGreaterThanOrEqual(GRAPHIC);
  });
  const palette = PALETTES[scheme];
  it("words on the ground are read", () => {
    expect(contrast(palette.text, palette.ground)).toBeGreaterThanOrEqual(TEXT);
  });
  it.each(["path", "target", "way", "obstacle", "select"] as const)("%s is seen on the ground", (name) => {
    expect(contrast(palette[name], palette.ground)).toBeGreaterThanOrEqual(GRAPHIC);
  });
});
