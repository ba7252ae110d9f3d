/** A shot with two characters, and its times. */
import type { Plan } from "../../src/net/messages";
import type { ShotDocument } from "../../src/editor/doc/document";

export const DOC: ShotDocument = {
  shot: 1,
  fps: 30,
  marks: { door: { position: [1.5, 2.5], facing: 90 }, handle: { point: [1.95, 1.1, 2.5] } },
  cast: { anna: {}, ben: { start: { position: [0, 3], facing: 180 } } },
  tracks: {
    anna: [
      {
        ...{ id: "go", do: "walk", to: "door", by: 5 },
        constraints: {
          body: [{ time: "50%", position: [1, 1] }],
          style: [{ from: 1, to: 2, label: "hurried" }],
        },
      },
      { id: "wait", do: "idle", for: 3 },
      {
        ...{ id: "hand", do: "reach", joint: "right_hand", target: "handle" },
        ...{ at: "wait.start+1.5", hold: 0.5 },
      },
      { id: "away", do: "gait", speed: 1.3, path: [[3.5, 2.5], "door"], for: 3 },
    ],
    ben: [{ id: "stay", do: "idle", until: "anna.go.end+1" }],
  },
};

export const PLAN: Plan = {
  fps: 30,
  frames: 331,
  tracks: {
    anna: [
      { id: "go", kind: "walk", index: 0, first: 0, last: 150, layer: false },
      { id: "wait", kind: "idle", index: 1, first: 150, last: 240, layer: false },
      { id: "hand", kind: "reach", index: 2, first: 195, last: 210, layer: true },
      { id: "away", kind: "gait", index: 3, first: 240, last: 330, layer: false },
    ],
    ben: [{ id: "stay", kind: "idle", index: 0, first: 0, last: 330, layer: false }],
  },
};
