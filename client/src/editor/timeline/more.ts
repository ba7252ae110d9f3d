/** A sign that there are lanes below those that are seen, and a way to them. */

import { button, setText } from "../shell/dom";

export interface More {
  element: HTMLElement;
  refresh: () => void;
}

/** Lanes whose lower half lies below what is seen. */
export function hiddenBelow(ends: readonly { name: string; middle: number }[], seen: number): string[] {
  return ends.filter(({ middle }) => middle > seen).map(({ name }) => name);
}

export function makeMore(scroll: HTMLElement, body: HTMLElement): More {
  const element = button("", () => {
    scroll.scrollTo({ top: scroll.scrollHeight });
  }, { class: "more-lanes", hidden: true });
  const refresh = (): void => {
    const curves = scroll.querySelector(".tl-curves")?.getBoundingClientRect();
    const bottom = scroll.getBoundingClientRect().bottom;
    const seen = Math.min(bottom, curves?.top ?? bottom);
    const rows = [...body.children].map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { name: row.querySelector(".lane-name")?.textContent ?? "", middle: top + height / 2 };
    });
    const below = hiddenBelow(rows, seen);
    element.hidden = below.length === 0;
    element.style.bottom = `${String(Math.max(0, bottom - seen) + 3)}px`;
    setText(element, `▾ ${below.join(", ")}`);
  };
  return { element, refresh };
}
