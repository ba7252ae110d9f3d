/** Elements made by code: text goes in as text, never as markup. */

type Attributes = Record<string, string | number | boolean | undefined>;

/** An element with attributes and children; text children are text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** A button that says what it does. */
export function button(
  text: string, act: (event: MouseEvent) => void, attributes: Attributes = {},
): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", act);
  return element;
}

/** Change an element's text only where it differs, so that readers are not told twice. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether keys that somebody types belong to a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Follow a pointer until it is let go; `cancel` ends it without `done`. */
export function follow(
  event: PointerEvent,
  moved: (event: PointerEvent) => void,
  done: (event: PointerEvent) => void,
): void {
  const target = event.currentTarget as HTMLElement;
  target.setPointerCapture(event.pointerId);
  const stop = (): void => {
    target.removeEventListener("pointermove", moved);
    target.removeEventListener("pointerup", end);
    target.removeEventListener("pointercancel", end);
  };
  const end = (last: PointerEvent): void => {
    stop();
    done(last);
  };
  target.addEventListener("pointermove", moved);
  target.addEventListener("pointerup", end);
  target.addEventListener("pointercancel", end);
}
