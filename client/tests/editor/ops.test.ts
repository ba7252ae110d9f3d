import { describe, expect, it } from "vitest";
import { at } from "../../src/editor/doc/document";
import { append, apply, Conflict, move, put, take } from "../../src/editor/doc/ops";
import { DOC } from "./example";

describe("changes of a document", () => {
  it("leave the given document as it is", () => {
    const before = JSON.stringify(DOC);
    const after = apply(DOC, put(DOC, ["marks", "door", "facing"], 0));
    expect(at(after, ["marks", "door", "facing"])).toBe(0);
    expect(JSON.stringify(DOC)).toBe(before);
  });

  it("make what is missing above", () => {
    const ops = append(DOC, ["tracks", "anna", 1, "constraints", "joints"], { time: 1 });
    const after = apply(DOC, ops);
    expect(at(after, ["tracks", "anna", 1, "constraints"])).toEqual({ joints: [{ time: 1 }] });
    expect(ops).toHaveLength(1);
  });

  it("know what was there", () => {
    expect(take(DOC, ["tracks", "anna", 1, "for"])).toEqual([
      { op: "remove", path: ["tracks", "anna", 1, "for"], old: 3 },
    ]);
    expect(put(DOC, ["tracks", "anna", 1, "for"], 3)).toEqual([]);
  });

  it("move entries", () => {
    const after = apply(DOC, move(DOC, ["tracks", "anna"], 0, 1));
    expect(after.tracks?.["anna"]?.map((span) => span["id"])).toEqual(["wait", "go", "hand", "away"]);
  });

  it("are refused where nothing is", () => {
    expect(() => apply(DOC, [{ op: "remove", path: ["tracks", "anna", 9], old: 1 }])).toThrow(Conflict);
    expect(() => apply(DOC, [{ op: "set", path: ["fps", "x"], value: 1, old: null }])).toThrow(Conflict);
  });
});
