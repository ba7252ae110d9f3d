/** Elements in few words. Text is only ever set as text: no name can become an element. */

type Attributes = Record<string, string>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const element = make("button", { type: "button", title, "aria-label": title }, label);
  element.addEventListener("click", act);
  return element;
}

/** A box to tick, with its word. */
export function tick(word: string, title: string, checked: boolean, act: (on: boolean) => void): HTMLLabelElement {
  const box = make("input", { type: "checkbox" });
  box.checked = checked;
  box.addEventListener("change", () => {
    act(box.checked);
  });
  return make("label", { title, class: "page-tick" }, box, word);
}

/** A list to choose from. */
export function choice(
  title: string,
  options: readonly (readonly [string, string])[],
  value: string,
  act: (value: string) => void,
): HTMLSelectElement {
  const element = make("select", { title, "aria-label": title });
  for (const [key, word] of options) element.append(make("option", { value: key }, word));
  element.value = value;
  element.addEventListener("change", () => {
    act(element.value);
  });
  return element;
}
