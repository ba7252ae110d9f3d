import { expect, it } from "vitest";
import { KINDS } from "../../src/editor/doc/kinds";
import { isInShot } from "../../src/editor/doc/spans";

it("a scene file as a span says who is played, and where its origin is", () => {
  const keys = KINDS["synthesize"]?.fields.map((field) => field.key);
  expect(keys).toEqual(expect.arrayContaining(["character", "position", "facing"]));
});

it("places of a file that is put somewhere are not those of the shot", () => {
  expect(isInShot({ do: "synthesize", moved: false })).toBe(true);
  expect(isInShot({ do: "synthesize", moved: false, position: "square" })).toBe(false);
  expect(isInShot({ do: "synthesize", position: "square" })).toBe(false);
});
