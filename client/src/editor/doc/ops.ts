/** Changes of a document that can be taken back. */

import type { Op } from "../../net/messages";
import { at, isFields, type Path, same, type ShotDocument, type Value } from "./document";

/** Thrown where a document is not what a change was made for. */
export class Conflict extends Error {}

/** Put a value at a path; what is missing above it is made, lists for numbers. */
export function put(doc: ShotDocument, path: Path, value: Value): Op[] {
  for (let depth = 1; depth < path.length; depth++) {
    const above = at(doc, path.slice(0, depth));
    if (above === undefined || above === null) {
      return [setOp(doc, path.slice(0, depth), nested(path.slice(depth), value))];
    }
  }
  return same(at(doc, path), value) ? [] : [setOp(doc, path, value)];
}

function setOp(doc: ShotDocument, path: Path, value: Value): Op {
  return { op: "set", path, value, old: at(doc, path) ?? null };
}

function nested(path: Path, value: Value): Value {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = nested(rest, value);
  return typeof key === "number" ? [inner] : { [key]: inner };
}

/** Take out what is at a path; nothing where nothing is. */
export function take(doc: ShotDocument, path: Path): Op[] {
  const old = at(doc, path);
  return old === undefined ? [] : [{ op: "remove", path, old }];
}

/** Add to the end of a list, which is made where it is missing. */
export function append(doc: ShotDocument, path: Path, value: Value): Op[] {
  const list = at(doc, path);
  if (!Array.isArray(list)) return put(doc, path, [value]);
  return [{ op: "insert", path: [...path, list.length], value }];
}

/** Move an entry of a list to another place, counted after it was taken out. */
export function move(doc: ShotDocument, path: Path, from: number, to: number): Op[] {
  const value = at(doc, [...path, from]);
  if (value === undefined || from === to) return [];
  return [
    { op: "remove", path: [...path, from], old: value },
    { op: "insert", path: [...path, to], value },
  ];
}

/** The document after changes; the given one stays as it is. */
export function apply(doc: ShotDocument, ops: readonly Op[]): ShotDocument {
  let result: unknown = doc;
  for (const op of ops) result = replaced(result, op.path, op);
  return result as ShotDocument;
}

function replaced(value: unknown, path: Path, op: Op): unknown {
  const [key, ...rest] = path;
  if (key === undefined) throw new Conflict("a change needs a place");
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    changeList(list, key as number, rest, op);
    return list;
  }
  if (!isFields(value)) throw new Conflict(`nothing is at ${op.path.join(".")}`);
  const fields: Record<string, unknown> = { ...value };
  changeFields(fields, String(key), rest, op);
  return fields;
}

function changeList(list: unknown[], index: number, rest: Path, op: Op): void {
  const limit = op.op === "insert" && rest.length === 0 ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > limit) {
    throw new Conflict(`nothing is at ${op.path.join(".")}`);
  }
  if (rest.length > 0) list[index] = replaced(list[index], rest, op);
  else if (op.op === "insert") list.splice(index, 0, op.value);
  else if (op.op === "remove") list.splice(index, 1);
  else list[index] = op.value;
}

function changeFields(fields: Record<string, unknown>, key: string, rest: Path, op: Op): void {
  if (rest.length > 0) fields[key] = replaced(fields[key], rest, op);
  else if (op.op === "remove") Reflect.deleteProperty(fields, key);
  else fields[key] = op.value;
}
