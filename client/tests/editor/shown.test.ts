import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { keepInSight } from "../../src/editor/shell/sight";
import { kindsText } from "../../src/editor/panels/library";
import { marked, measuredText, meetingText, problemsOf } from "../../src/editor/panels/report";
import { errorText } from "../../src/editor/timeline/curves";
import { lanesOf } from "../../src/editor/timeline/lanes";
import { hiddenBelow } from "../../src/editor/timeline/more";
import { meetingName, mostOf } from "../../src/editor/timeline/strips";
import { declutter } from "../../src/scene/declutter";
import { Uploads } from "../../src/net/uploads";
import { Store } from "../../src/editor/store";
import { DOC, PLAN } from "./example";

describe("figures", () => {
  it("stand beside their limit, and are good within it", () => {
    expect(marked(33.2, 33.3, true)).toBe("33.2 ✓ ≤ 33.3");
    expect(marked(34.4, 33.3, false)).toBe("34.4 ! > 33.3");
    expect(marked(1, Infinity, true)).toBe("1 ✓");
  });
  it("of errors are told where keys are, else not", () => {
    expect(errorText(mostOf(new Float32Array([NaN, 0.004, NaN])))).toBe("4 mm");
    expect(errorText(mostOf(new Float32Array([NaN, NaN])))).toBe("no keys");
  });
});

describe("the report", () => {
  const own = {
    ...{ spans: [], joins: [], series: {}, summary: [], pieces: [], problems: ["go: body 139 cm off its key"] },
  };
  it("has all problems of the measurement", () => {
    expect(problemsOf(own)).toEqual(["go: body 139 cm off its key"]);
  });
  it("says of which motion it tells", () => {
    const { now } = new Store();
    expect(measuredText({ ...now, reportRev: 1, reportQuality: "final" })).toContain("command line");
    expect(measuredText({ ...now, reportRev: 1, idleRev: 1 })).toContain("quick version");
    const shot = { rev: 2, problems: [] } as never;
    expect(measuredText({ ...now, reportRev: 1, shot })).toContain("before your last change");
  });
  it("has a line for each meeting", () => {
    const one = { label: "hands of anna and ben at 4 s", time: 4, place: 0.012, facing: 1.5, problems: [] };
    expect(meetingText({ ...one, joints: 0.004 })).toContain("met, 12 mm and 1.5° off, what meets 4 mm");
    expect(meetingText({ ...one, problems: ["they stand 30 cm wrong to each other"] })).toContain("30 cm wrong");
  });
});

describe("lanes", () => {
  it("show meetings of those who meet", () => {
    const store = new Store();
    const meeting = { index: 0, name: "hands", between: ["anna", "ben"] as [string, string], first: 90, last: 100 };
    store.set({ doc: DOC, who: "anna", plan: { ...PLAN, meetings: [meeting] } });
    expect(lanesOf(store).map((lane) => lane.label)).toContain("Meetings");
    expect(meetingName(meeting, "ben")).toBe("hands, anna");
    store.set({ plan: PLAN });
    expect(lanesOf(store).map((lane) => lane.label)).not.toContain("Meetings");
  });
  it("below what is seen are announced", () => {
    const ends = [{ name: "Style", middle: 90 }, { name: "Pieces", middle: 112 }];
    expect(hiddenBelow(ends, 100)).toEqual(["Pieces"]);
  });
});

it("files that can be brought are those that the studio told", () => {
  expect(kindsText([".bvh", ".glb"])).toContain(".bvh, .glb");
});

it("a file that cannot be brought is refused once, and none of it is sent", async () => {
  const sent: string[] = [];
  const said: string[] = [];
  const uploads = new Uploads((one) => sent.push(one.type) > 0, () => 200e6, () => [".bvh"]);
  uploads.onRefused = (text) => { said.push(text); };
  await uploads.send(new File(["x"], "README.md"));
  expect(said).toEqual(["README.md: is no motion of a skeleton; bring one of .bvh"]);
  expect(uploads.whyNot({ name: "Walk.BVH", size: 9 })).toBeNull();
  expect(uploads.whyNot({ name: "walk.bvh", size: 3e8 })).toContain("200 MB");
  expect(sent).toEqual([]);
});

it("words of the view do not lie over each other", () => {
  const box = { x: 0, y: 0, width: 40, height: 14 };
  expect(declutter([box, box, { ...box, x: 60 }])).toEqual([0, 14, 0]);
  expect(declutter([box, box, box, box, box, box]).at(-1)).toBeNull();
});

it("who walks out of the picture is kept in it", () => {
  const camera = new PerspectiveCamera(35, 16 / 9, 0.05, 600);
  const target = new Vector3(0, 0.9, 0);
  camera.position.set(0, 2, 6);
  camera.lookAt(target);
  expect(keepInSight(camera, target, new Vector3(0.5, 0.9, 0))).toBe(false);
  const away = new Vector3(9, 0.9, -4);
  expect(keepInSight(camera, target, away)).toBe(true);
  camera.updateMatrixWorld();
  expect(Math.abs(away.clone().project(camera).x)).toBeLessThan(0.81);
});
