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

/** Follow a pointer until it is let go, wherever; also where the element is moved or taken out meanwhile. */
export function follow(
  event: PointerEvent,
  moved: (event: PointerEvent) => void,
  done: (event: PointerEvent) => void,
): void {
  const target = event.currentTarget as HTMLElement;
  target.setPointerCapture(event.pointerId);
  const own = (act: (now: PointerEvent) => void) => (now: PointerEvent): void => {
    if (now.pointerId === event.pointerId) act(now);
  };
  const move = own(moved);
  const end = own((last) => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
    done(last);
  });
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}
