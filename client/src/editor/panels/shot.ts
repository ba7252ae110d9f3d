/** The shot as a whole: rate and seed, cast, marks, obstacles and ground. */

import { addMember, freeMember } from "../doc/cast";
import { at, type Path, type ShotDocument } from "../doc/document";
import type { Field } from "../doc/kinds";
import { put, take } from "../doc/ops";
import { solidsOf } from "../doc/solids";
import { button, make } from "../shell/dom";
import type { Control, ControlTools } from "./controls";
import { controlOf } from "./form";
import { group, type Keep, type Removal } from "./group";
import { JOINED, overPath } from "./joins";
import { meetingParts, outlineOfMeetings } from "./meetings";
import { SOLID_FIELDS } from "./solid";

const SHOT: Field[] = [
  { key: "fps", label: "Frames/s", type: "number", min: 1, max: 240, step: 1, usual: "30" },
  { key: "seed", label: "Seed", type: "number", min: 0, step: 1, usual: "0" },
  { key: "library", label: "Library", type: "text", usual: "as given" },
];
const MARK: Field[] = [
  { key: "position", label: "Place", type: "place", usual: "none" },
  { key: "facing", label: "Facing", type: "number", unit: "°", step: 5, usual: "any" },
  { key: "point", label: "Point", type: "point", usual: "none" },
  { key: "time", label: "Time", type: "number", unit: "s", min: 0, step: 0.1, usual: "none" },
];
const START: Field[] = [
  { key: "position", label: "Begins at", type: "place", usual: "0, 0" },
  { key: "facing", label: "Facing", type: "number", unit: "°", step: 5, usual: "0" },
];
export interface ShotTools extends ControlTools {
  /** Ask what a new shot is to be. */
  begin: () => void;
}

export function makeShotPanel(tools: ShotTools): HTMLElement {
  const { store } = tools;
  const element = make("div", { class: "shot-panel" });
  let known = "";
  let controls: Control[] = [];
  store.onCalm(["doc"], ({ doc }) => {
    const wanted = outline(doc);
    if (wanted !== known) {
      known = wanted;
      controls = [];
      const keep = (path: Path, fields: Field[]): HTMLElement[] => {
        const own = fields.map((field) => controlOf(field, [...path, field.key], tools));
        controls.push(...own);
        return own.map((control) => control.element);
      };
      element.replaceChildren(...parts(doc, keep, tools));
    }
    for (const control of controls) control.refresh();
  });
  return element;
}

/** What the panel has rows for. */
function outline(doc: ShotDocument): string {
  const solids = solidsOf(doc).map((solid) => solid.path.join("/") + solid.shape);
  const names = [Object.keys(doc.cast ?? {}), Object.keys(doc.marks ?? {})];
  return JSON.stringify([...names, solids, outlineOfMeetings(doc), overPath(doc)]);
}

function parts(doc: ShotDocument, keep: Keep, tools: ShotTools): HTMLElement[] {
  const cast = Object.keys(doc.cast ?? {}).map((name) =>
    group(name, keep(["cast", name, "start"], START), removeMember(name, tools)),
  );
  const marks = Object.keys(doc.marks ?? {}).map((name) =>
    group(name, keep(["marks", name], MARK), () => ({ ops: take(tools.store.now.doc, ["marks", name]), tools })),
  );
  const solids = solidsOf(doc).map((solid) =>
    group(`${solid.label} ${String((solid.path[1] as number) + 1)}`, keep(solid.path, SOLID_FIELDS[solid.shape] ?? []), () => ({
      ops: take(tools.store.now.doc, solid.path),
      tools,
    })),
  );
  return [
    ...[make("h2", {}, "Shot"), ...keep([], SHOT), ...keep(overPath(doc).slice(0, -1), [JOINED])],
    button("New shot…", tools.begin),
    ...[make("h3", {}, "Cast"), ...cast, button("Add a character", () => { addOther(tools); })],
    ...[make("h3", {}, "Marks"), ...marks, button("Add a mark", () => { addMark(tools); })],
    ...meetingParts(doc, keep, tools),
    ...[make("h3", {}, "Obstacles and ground"), ...solids],
    make("p", { class: "quiet" }, "Put new ones into the view with its tools."),
  ];
}

function removeMember(name: string, tools: ControlTools): Removal {
  return () => {
    const { doc } = tools.store.now;
    return { ops: [...take(doc, ["tracks", name]), ...take(doc, ["cast", name])], tools };
  };
}

/** Another character beside the others, who waits. */
function addOther({ store, editing }: ControlTools): void {
  const { doc, plan, library } = store.now;
  const name = freeMember(doc);
  const ways = Object.keys(doc.cast ?? {}).flatMap((who) => store.bodies.way(who));
  if (editing.commit(addMember(doc, plan, name, ways, library), `add ${name}`)) store.set({ who: name });
}

function addMark({ store, editing }: ControlTools): void {
  const { doc } = store.now;
  let n = 1;
  while (at(doc, ["marks", `mark_${String(n)}`]) !== undefined) n++;
  editing.commit(put(doc, ["marks", `mark_${String(n)}`], { position: [1, 1] }), "add a mark");
}

