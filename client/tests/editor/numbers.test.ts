import { expect, it } from "vitest";
import { refusalOf, stepped } from "../../src/editor/panels/numbers";

it("text that is no number is refused at its field with what is expected", () => {
  expect(refusalOf("banana", { min: 0 })).toBe("a number is expected, such as 1.5");
  expect(refusalOf("1.5 s", {})).not.toBeNull();
  expect(refusalOf("-1", { min: 0 })).toBe("a number from 0 on is expected");
  expect(refusalOf("400", { max: 360 })).toBe("a number up to 360 is expected");
  expect(refusalOf(" 2.5 ", { min: 0 })).toBeNull();
});

it("an empty field takes a value out only where there need be none", () => {
  expect(refusalOf("", {})).toBeNull();
  expect(refusalOf("", {}, true)).toBe("a number is expected");
});

it("arrows change a number by a step, within its limits", () => {
  expect(stepped("0.2", { step: 0.1 }, 1)).toBe("0.3");
  expect(stepped("0", { min: 0, step: 0.1 }, -1)).toBe("0");
});
