/** Inputs of numbers: what is no number is refused at the field, and nothing is written. */

import type { Field } from "../doc/kinds";
import { make } from "../shell/dom";

export type Limits = Pick<Field, "min" | "max" | "step">;

/**
 * What is wrong with what stands in a field of a number; null where nothing is. An input of the browser's own type
 * `number` says that it is empty where it holds letters, so that a typing error would take the value out.
 */
export function refusalOf(text: string, { min, max }: Limits, needed = false): string | null {
  const clean = text.trim();
  if (clean === "") return needed ? "a number is expected" : null;
  const value = Number(clean);
  if (!Number.isFinite(value)) return "a number is expected, such as 1.5";
  if (min !== undefined && value < min) return `a number from ${String(min)} on is expected`;
  return max !== undefined && value > max ? `a number up to ${String(max)} is expected` : null;
}

/** A number some steps further, within its limits. */
export function stepped(text: string, { min, max, step = 1 }: Limits, steps: number): string {
  const value = (Number(text) || 0) + steps * step;
  const kept = Math.min(Math.max(value, min ?? -Infinity), max ?? Infinity);
  return String(Math.round(1e6 * kept) / 1e6);
}

/** An input of a number, which the arrows up and down change by a step. */
export function numberInput(
  limits: Limits, attributes: Record<string, string | undefined> = {},
): HTMLInputElement {
  const input = make("input", { type: "text", inputmode: "decimal", spellcheck: "false", ...attributes });
  input.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (steps === undefined || refusalOf(input.value, {}) !== null) return;
    event.preventDefault();
    input.value = stepped(input.value, limits, steps);
    input.dispatchEvent(new Event("change"));
  });
  input.addEventListener("input", () => { mark(input, null); });
  return input;
}

/** Whether what stands there may be written; else that is told at the field. */
export function isRight(input: HTMLInputElement, limits: Limits, needed = false): boolean {
  const wrong = refusalOf(input.value, limits, needed);
  mark(input, wrong);
  input.reportValidity();
  return wrong === null;
}

/** Show what is wrong at a field, or that nothing is. */
export function mark(input: HTMLInputElement, wrong: string | null): void {
  input.setCustomValidity(wrong ?? "");
  input.setAttribute("aria-invalid", String(wrong !== null));
  input.title = wrong ?? "";
}
