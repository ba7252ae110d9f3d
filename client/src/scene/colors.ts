/** Colours on light and dark ground, told apart by the colour-blind too (Okabe and Ito 2008). */
import { Color } from "three";
import type { Character } from "../model";

export type Scheme = "light" | "dark";

export interface Palette {
  ground: string;
  line: string;
  meter: string;
  text: string;
  path: string;
  target: string;
  way: string;
  obstacle: string;
  earth: string;
  select: string;
  shadow: number;
}

export const PALETTES: Record<Scheme, Palette> = {
  light: {
    ground: "#f1f3f6",
    line: "#d9dde4",
    meter: "#b9bec8",
    text: "#696e78",
    path: "#777c87",
    target: "#c2185b",
    way: "#96409f",
    obstacle: "#9c7a42",
    earth: "#a3ae8a",
    select: "#b08400",
    shadow: 0.3,
  },
  dark: {
    ground: "#202329",
    line: "#343840",
    meter: "#4d535e",
    text: "#9aa1ad",
    path: "#767d89",
    target: "#ff6fa3",
    way: "#cf8ad8",
    obstacle: "#b8935a",
    earth: "#7d8a66",
    select: "#ffd23f",
    shadow: 0.5,
  },
};

/** One for each character, in order. */
export const CHARACTER_COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#5a5a60"];

/** Middle, left (darker) and right (lighter) of a body. */
export function tintsOf(character: Pick<Character, "color" | "tints">): [Color, Color, Color] {
  if (character.tints) {
    const [middle, left, right] = character.tints;
    return [new Color(middle), new Color(left), new Color(right)];
  }
  const color = new Color(character.color);
  const left = color.clone().lerp(new Color("#000000"), 0.38);
  const right = color.clone().lerp(new Color("#ffffff"), 0.42);
  return [color, left, right];
}

/** The scheme the reader's system asks for. */
export function preferredScheme(): Scheme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
