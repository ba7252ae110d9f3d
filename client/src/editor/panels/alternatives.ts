/** Other ways to do a span, each as its way on the ground, drawn small; one can be chosen. */

import type { Alternative } from "../../net/messages";
import type { Item } from "../doc/items";
import { button, make } from "../shell/dom";
import type { SpanTools } from "./span";

const SIZE = 72;
const COST =
  "Each seen from above. Cost: how far keys are missed and captured motion is bent or joined hard; " +
  "less is better. Only these can be compared with each other.";

export function makeAlternatives(tools: SpanTools): {
  element: HTMLElement;
  show: (item: Item) => void;
} {
  const list = make("div", { class: "alternatives", role: "group", "aria-label": "Other ways" });
  const head = make("h3", {}, "Other ways");
  const element = make("div", { class: "alternatives-box", hidden: true }, head, make("p", { class: "quiet" }, COST), list);
  let known: unknown = null;
  const show = (item: Item): void => {
    const { alternatives } = tools.store.now;
    const planned = tools.store.now.plan?.tracks[item.who]?.find((one) => one.index === item.span);
    const own = alternatives?.who === item.who && alternatives.span === planned?.id;
    const items = own ? alternatives.items : [];
    if (items === known) return;
    known = items;
    element.hidden = items.length === 0;
    list.replaceChildren(
      ...items.map((one, i) =>
        thumbnail(one, i, () => {
          tools.send({ type: "choose", who: item.who, span: planned?.id ?? "", item: one.id });
        }),
      ),
    );
    if (items.length > 0) element.scrollIntoView({ block: "nearest" });
  };
  return { element, show };
}

function thumbnail(one: Alternative, index: number, choose: () => void): HTMLElement {
  const canvas = make("canvas", { width: 2 * SIZE, height: 2 * SIZE, class: "thumb" });
  const isShown = one.shown === true;
  const text = `${isShown ? "✓ shown now" : String(index + 1)}: cost ${one.score.toFixed(2)}`;
  const element = button("", choose, {
    ...{ class: "alternative", title: (one.rows ?? []).join("\n"), "aria-pressed": String(isShown) },
  });
  element.append(canvas, make("span", {}, text));
  requestAnimationFrame(() => { drawWay(canvas, one.path); });
  return element;
}

/** A way from above, +Z up and +X to the left as seen by who looks along +Z; scaled to fit. */
function drawWay(canvas: HTMLCanvasElement, path: [number, number][]): void {
  const context = canvas.getContext("2d");
  if (context === null || path.length === 0) return;
  const [xs, zs] = [path.map((p) => -p[0]), path.map((p) => -p[1])];
  const [left, top] = [Math.min(...xs), Math.min(...zs)];
  const span = Math.max(Math.max(...xs) - left, Math.max(...zs) - top, 0.5);
  const scale = (2 * SIZE - 32) / span;
  const place = (i: number): [number, number] => [
    16 + ((xs[i] ?? 0) - left) * scale,
    16 + ((zs[i] ?? 0) - top) * scale,
  ];
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.strokeStyle = getComputedStyle(canvas).color;
  context.fillStyle = context.strokeStyle;
  context.lineWidth = 4;
  context.beginPath();
  path.forEach((_, i) => { context.lineTo(...place(i)); });
  context.stroke();
  context.beginPath();
  context.arc(...place(path.length - 1), 8, 0, 2 * Math.PI);
  context.fill();
}
