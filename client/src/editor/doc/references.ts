/** Where times of a shot name other spans. */

import { isFields, type Path, type ShotDocument } from "./document";

export interface Reference {
  who: string;
  path: Path;
  when: string;
}

/** Fields that may name a span. */
const FIELDS = new Set(["begin", "by", "until", "at", "time", "over"]);

/** All times, and layers' `over`, that name a span. */
export function references(doc: ShotDocument, who: string, id: string): Reference[] {
  const found: Reference[] = [];
  for (const [owner, spans] of Object.entries(doc.tracks ?? {})) {
    const visit = (value: unknown, path: Path): void => {
      if (typeof value === "string") {
        const isField = FIELDS.has(String(path.at(-1)));
        if (isField && names(value, owner, who, id)) found.push({ who: owner, path, when: value });
      } else if (Array.isArray(value)) value.forEach((item, i) => visit(item, [...path, i]));
      else if (isFields(value)) {
        for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
      }
    };
    visit(spans, ["tracks", owner]);
  }
  (doc.meet ?? []).forEach((meeting, i) => {
    const when = meeting["time"];
    if (typeof when !== "string" || !names(when, "", who, id)) return;
    found.push({ who: "", path: ["meet", i, "time"], when });
  });
  return found;
}

function names(value: string, owner: string, who: string, id: string): boolean {
  if (owner === who && value === id) return true;
  const parts = (/^[^+-]*/.exec(value.replace(/-(?=[A-Za-z_])/g, "_"))?.[0] ?? "").trim().split(".");
  const plain = id.replaceAll("-", "_");
  if (parts.length === 2) return owner === who && parts[0] === plain;
  return parts.length === 3 && parts[0] === who.replaceAll("-", "_") && parts[1] === plain;
}

/** The same time of a span that has another name now. */
export function renamedTime(when: string, old: string, name: string): string {
  if (when === old) return name;
  const place = when.indexOf(`${old}.`);
  return place < 0 ? when : `${when.slice(0, place)}${name}${when.slice(place + old.length)}`;
}
