import { expect, it } from "vitest";
import { append, apply } from "../../src/editor/doc/ops";
import { addedSpan } from "../../src/editor/doc/spans";
import { Store } from "../../src/editor/store";
import { DOC, PLAN } from "./example";

it("what is chosen is shown, whichever tab was open", () => {
  const store = new Store();
  store.set({ doc: DOC, plan: PLAN, who: "ben", tab: "library" });
  const [item] = store.items("anna");
  store.choose(item ?? null);
  expect(store.now).toMatchObject({ tab: "span", chosen: item?.id, who: "anna" });
  store.set({ tab: "library" });
  store.choose(null);
  expect(store.now).toMatchObject({ tab: "library", chosen: null });
});

it("a walk or key that was added is known by its place in the track", () => {
  const added = apply(DOC, append(DOC, ["tracks", "anna"], { id: "walk", do: "walk", to: [1, 2] }));
  expect(addedSpan(DOC, added, "anna")).toBe("tracks/anna/4");
  expect(addedSpan(DOC, added, "ben")).toBeNull();
});
