/** The tools of the view: what a click on the ground does; camera. */

import type { Store, Tool } from "../store";
import { button } from "./dom";

const TOOLS: [Tool, string, string][] = [
  ["place", "Checkpoint", "A click on the ground places a checkpoint"],
  ["gaze", "Gaze", "A click on the ground is where the eyes go on this frame"],
  ["post", "Post", "A click on the ground puts a post there"],
  ["box", "Box", "A click on the ground puts a box there"],
  ["slope", "Slope", "A click on the ground puts a slope there"],
  ["stairs", "Stairs", "A click on the ground puts stairs there"],
  ["look", "Look", "Nothing is taken hold of"],
];

export interface CameraActions {
  fit: () => void;
  follow: () => boolean;
  ghost: () => boolean;
}

export interface Tools {
  follow: () => void;
  ghost: () => void;
}

export function fillTools(root: HTMLElement, store: Store, camera: CameraActions): Tools {
  const tools = TOOLS.map(([tool, label, title]) =>
    button(label, () => { store.set({ tool }); }, { title }),
  );
  const pressed = (element: HTMLElement, now: boolean): void => {
    element.setAttribute("aria-pressed", String(now));
  };
  const follow = button("Follow", () => { pressed(follow, camera.follow()); }, { title: "F" });
  const ghost = button("Ghost", () => { pressed(ghost, camera.ghost()); }, { title: "G" });
  const fit = button("See all", () => { camera.fit(); });
  const gap = document.createElement("span");
  gap.className = "gap";
  pressed(follow, true);
  pressed(ghost, false);
  root.append(...tools, gap, follow, ghost, fit);
  store.on(["tool"], ({ tool }) => {
    TOOLS.forEach(([name], i) => {
      const element = tools[i];
      if (element) pressed(element, name === tool);
    });
  });
  return { follow: () => { follow.click(); }, ghost: () => { ghost.click(); } };
}
