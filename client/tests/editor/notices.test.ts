import { afterEach, expect, it, vi } from "vitest";
import { notify } from "../../src/editor/shell/notices";
import { toldOf } from "../../src/editor/shell/trouble";
import { Store } from "../../src/editor/store";

afterEach(() => { vi.useRealTimers(); });

it("what went well goes away by itself, what is wrong stays", () => {
  vi.useFakeTimers();
  const store = new Store();
  notify(store, { message: "run.bvh can be used now", isGood: true });
  notify(store, { message: "no such clip", hint: "choose another" });
  expect(store.now.notices).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(store.now.notices.map((one) => one.message)).toEqual(["no such clip"]);
});

it("what takes longer to read stays longer", () => {
  vi.useFakeTimers();
  const store = new Store();
  notify(store, { message: "run.bvh can be used now", isGood: true, hint: "its motion was carried over".repeat(4) });
  vi.advanceTimersByTime(10_000);
  expect(store.now.notices).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  expect(store.now.notices).toHaveLength(0);
});

it("a problem of the file is said in full, with its line and what to do", () => {
  expect(toldOf({ line: 4, message: "no such mark", hint: "name one", path: ["tracks"] })).toEqual({
    ...{ message: "line 4: no such mark", hint: "name one" },
  });
});
