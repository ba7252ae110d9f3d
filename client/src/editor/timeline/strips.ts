/** What is drawn, not chosen: contacts, pieces, the error curve, naturalness. */

import type { Piece, PlannedMeeting } from "../../net/messages";
import { LIMIT, type Strip } from "./natural";
import type { Scale } from "./scale";

/** A canvas as wide as what is seen, and where it begins. */
export interface Sheet {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  /** Seconds at its left. */
  from: number;
  fps: number;
  scale: Scale;
  color: (name: string) => string;
}

/** Make a canvas ready for drawing at the resolution of the screen. */
export function sheetOf(
  canvas: HTMLCanvasElement, width: number, height: number, from: number, fps: number, scale: Scale,
): Sheet | null {
  // Kept in memory: a graphics card, above all one that is none, is slow with so small a picture.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null || width <= 0) return null;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${String(width)}px`;
    canvas.style.height = `${String(height)}px`;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return { context, width, height, from, fps, scale, color };
}

/** What is of an older motion than the one that is shown stands back. */
const FADED = 0.35;

const xOf = (sheet: Sheet, frame: number): number =>
  sheet.scale.x(frame / sheet.fps - sheet.from);

/** Frame at every pixel of what is seen, up to a count. */
function* columns(sheet: Sheet, count: number): Generator<[number, number, number]> {
  for (let x = 0; x < sheet.width; x++) {
    const first = Math.floor((sheet.from + sheet.scale.seconds(x)) * sheet.fps);
    const last = Math.floor((sheet.from + sheet.scale.seconds(x + 1)) * sheet.fps);
    if (first >= count) return;
    yield [x, Math.max(0, first), Math.min(Math.max(last, first), count - 1)];
  }
}

/** Bars where feet are down: the left one above, the right one below. */
export function drawContacts(sheet: Sheet, contacts: Record<string, Uint8Array>): void {
  const half = sheet.height / 2;
  sheet.context.fillStyle = sheet.color("ink-soft");
  Object.entries(contacts)
    .slice(0, 2)
    .forEach(([, down], row) => {
      for (const [x, first, last] of columns(sheet, down.length)) {
        if (down.subarray(first, last + 1).some((one) => one > 0)) {
          sheet.context.fillRect(x, row * half + 3, 1, half - 5);
        }
      }
    });
}

/** Captured pieces with a seam between them, named where there is room. */
export function drawPieces(sheet: Sheet, pieces: readonly Piece[], isOld = false): void {
  const { context, height } = sheet;
  context.globalAlpha = isOld ? FADED : 1;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  pieces.forEach((piece, i) => {
    const [left, right] = [xOf(sheet, piece.first), xOf(sheet, piece.last)];
    if (right < 0 || left > sheet.width) return;
    context.fillStyle = sheet.color(i % 2 === 0 ? "piece-a" : "piece-b");
    context.fillRect(left, 3, Math.max(1, right - left - 1), height - 6);
    context.fillStyle = sheet.color("seam");
    context.fillRect(left, 0, 2, height);
    if (right - left < 40) return;
    context.save();
    context.beginPath();
    context.rect(Math.max(left + 3, 0), 0, right - Math.max(left + 3, 0) - 3, height);
    context.clip();
    context.fillStyle = sheet.color("ink");
    context.fillText(piece.clip, Math.max(left + 5, 3), height / 2);
    context.restore();
  });
  context.globalAlpha = 1;
}

/** Meetings as bars, named by what they are and with whom. */
export function drawMeetings(sheet: Sheet, meetings: readonly PlannedMeeting[], who: string): void {
  const { context, height } = sheet;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const one of meetings) {
    const [left, right] = [xOf(sheet, one.first), xOf(sheet, one.last)];
    if (right < 0 || left > sheet.width) continue;
    const width = Math.max(6, right - left);
    context.fillStyle = sheet.color("chosen");
    context.fillRect(left - 3, 3, width, height - 6);
    context.fillStyle = sheet.color("ink");
    context.fillText(meetingName(one, who), left + width + 2, height / 2);
  }
}

/** What a meeting is called on the lane of one of the two. */
export function meetingName({ name, between }: PlannedMeeting, who: string): string {
  return `${name}, ${between.find((one) => one !== who) ?? ""}`;
}

/** Values as bars under a line at the limit, which is half way up: the worse, the higher. */
export function drawNatural(sheet: Sheet, { values, isOld, missing }: Strip): void {
  const { context, height } = sheet;
  const half = (height - 4) / 2;
  for (const [x, first, last] of columns(sheet, values.length)) {
    let most = 0;
    for (let i = first; i <= last; i++) most = Math.max(most, values[i] ?? 0);
    context.fillStyle = sheet.color(isOld ? "old" : most > LIMIT ? "bad" : "good");
    const size = 2 + Math.min(most, 2 * LIMIT) * half;
    context.fillRect(x, height - size, 1, size);
  }
  if (values.length === 0) {
    context.fillStyle = sheet.color("ink-soft");
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.fillText(missing, 6, height / 2);
    return;
  }
  drawLimit(sheet, Math.round(height - 2 - half), Math.min(sheet.width, xOf(sheet, values.length)));
}

/** A dashed line that is seen on whatever is behind it. */
function drawLimit(sheet: Sheet, y: number, end: number): void {
  const { context } = sheet;
  for (let x = 0; x < end; x += 8) {
    context.fillStyle = sheet.color("surface");
    context.fillRect(x, y - 1, 6, 3);
    context.fillStyle = sheet.color("ink");
    context.fillRect(x + 1, y, 4, 1);
  }
}

/** A key that is farther off than this is missed, metres. */
export const MISSED = 0.05;

/** How far keys are off, in the frames where they hold; the most of all, metres, NaN without keys. */
export function drawError(sheet: Sheet, values: Float32Array, isOld = false): number {
  const { context, height } = sheet;
  context.globalAlpha = isOld ? FADED : 1;
  const worst = mostOf(values);
  const most = Math.max(MISSED, worst);
  for (const [x, first, last] of columns(sheet, values.length)) {
    const here = mostOf(values.subarray(first, last + 1));
    if (Number.isNaN(here)) continue;
    const size = 3 + (here / most) * (height - 6);
    context.fillStyle = sheet.color(here > MISSED ? "bad" : "error");
    context.fillRect(x - 1, height - size, 3, size);
  }
  context.globalAlpha = 1;
  return worst;
}

/** The largest number; NaN where there is none. */
export function mostOf(values: Float32Array): number {
  let most = Number.NaN;
  for (const value of values) if (!Number.isNaN(value) && !(value <= most)) most = value;
  return most;
}

/** Ticks with times. */
export function drawRuler(sheet: Sheet, duration: number): void {
  const { context, height, scale } = sheet;
  const step = scale.step();
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "top";
  const end = Math.max(duration, sheet.from + scale.seconds(sheet.width));
  const small = step / 5;
  for (let i = Math.floor(sheet.from / small); i * small <= end; i++) {
    const x = scale.x(i * small - sheet.from);
    if (x > sheet.width) break;
    const isMain = i % 5 === 0;
    context.fillStyle = sheet.color(i * small > duration ? "line" : "ink-soft");
    context.fillRect(x, isMain ? height - 9 : height - 4, 1, isMain ? 9 : 4);
    if (isMain) context.fillText(tickText(i * small, step), x + 3, 2);
  }
}

function tickText(time: number, step: number): string {
  const minutes = Math.floor(time / 60 + 1e-9);
  const rest = time - minutes * 60;
  const text = rest.toFixed(step < 1 ? 1 : 0);
  return minutes > 0 ? `${String(minutes)}:${text.padStart(step < 1 ? 4 : 2, "0")}` : `${text} s`;
}
