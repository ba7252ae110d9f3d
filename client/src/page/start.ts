/** The static page: motions that lie in the page, played without a server. */
import { Vector3 } from "three";
import { Playback } from "../playback";
import { CloudView } from "../scene/cloud";
import { preferredScheme, tintsOf, type Scheme } from "../scene/colors";
import { Stage } from "../scene/stage";
import { jointOf } from "../scene/trail";
import { Bar } from "./bar";
import { Curves, type Curve } from "./curves";
import { readPage, type PageData } from "./data";
import { make } from "./dom";
import { makeHeader } from "./header";
import { bindKeys } from "./keys";
import { JointNames } from "./names";
import { cloudSpeed, figureSpeed } from "./speeds";

/** Curves of further figures that have the colours of the first. */
const BESIDE = ["#009e73", "#cc79a7", "#e69f00"];

/** Bodies that lie in the page, and points over or without them. */
function fill(stage: Stage, data: PageData): CloudView[] {
  for (const character of data.characters) stage.addCharacter(character);
  for (const motion of data.motions) stage.setMotion(motion);
  const drawables = data.drawables.map((drawable, i) => [`page:${String(i)}`, drawable] as const);
  stage.setDrawables(new Map(drawables));
  const clouds = data.clouds.map((cloud) => new CloudView(cloud));
  for (const view of clouds) {
    stage.addCloud(view);
    // Markers lie on the skin of the person, so within or close to that of the figure.
    if (view.cloud.who !== null) stage.figures.get(view.cloud.who)?.body.setTranslucent(0.45);
  }
  if (data.captions) caption(stage, clouds);
  return clouds;
}

/** Names on the ground behind where figures begin. */
function caption(stage: Stage, clouds: readonly CloudView[]): void {
  for (const figure of stage.figures.values()) {
    figure.show(0);
    const place = figure.center.setY(0);
    stage.labels.set(`caption/${figure.character.id}`, figure.character.name, () => place.clone(), "caption");
  }
  for (const { cloud, mesh } of clouds.filter((view) => view.cloud.who === null)) {
    const place = new Vector3(cloud.points[0], 0, cloud.points[2]).add(mesh.position);
    stage.labels.set(`caption/${cloud.id}`, cloud.name, () => place.clone(), "caption");
  }
}

function curvesOf(stage: Stage, clouds: readonly CloudView[], data: PageData): Curve[] {
  const figures = [...stage.figures.values()];
  const alone = clouds.filter(({ cloud }) => cloud.who === null);
  const curves = figures.map((figure, i): Curve => {
    const [middle, left, right] = tintsOf(figure.character).map((tint) => `#${tint.getHexString()}`);
    const contacts = i > 0 ? [] : Object.entries(figure.track?.contacts ?? {});
    const inks = [right, middle, left] as [string, string, string];
    return {
      speed: figureSpeed(figure),
      color: (i > 0 && figure.character.tints && data.captions ? BESIDE[(i - 1) % BESIDE.length] : middle) ?? "#888888",
      contacts: contacts.map(([name, down]) => {
        const side = figure.character.sides[jointOf(figure.character, name)] ?? 0;
        return { name, down, color: inks[side + 1] ?? "#888888" };
      }),
    };
  });
  for (const { cloud } of alone) {
    curves.push({ speed: cloudSpeed(cloud), color: cloud.ramp[0] ?? "#888888", contacts: [] });
  }
  return curves;
}

/** Frames per second and frames of what is longest. */
function lengthOf(data: PageData): { total: number; fps: number } {
  const all = [
    ...data.motions.map(({ total, fps }) => ({ total, fps })),
    ...data.clouds.map(({ n, fps }) => ({ total: n, fps })),
  ];
  const fps = Math.max(...all.map((one) => one.fps));
  return { fps, total: Math.max(...all.map((one) => Math.round(((one.total - 1) / one.fps) * fps) + 1)) };
}

export async function startPage(root: HTMLElement, text: string): Promise<void> {
  const data = await readPage(text);
  const view = make("div", { class: "page-view" });
  root.append(view);
  const scheme = preferredScheme();
  document.documentElement.dataset.scheme = scheme;
  const stage = new Stage(view, { scheme });
  const clouds = fill(stage, data);
  const playback = new Playback();
  const { total, fps } = lengthOf(data);
  playback.setLength(total, fps);
  const times = data.drawables.filter((d) => !d.who || d.who === data.characters[0]?.id);
  const curves = new Curves(
    playback,
    curvesOf(stage, clouds, data),
    times.flatMap((d) => (typeof d.time === "number" ? [d.time] : [])),
  );
  const names = new JointNames(stage, clouds);
  const paint = (next: Scheme): void => {
    document.documentElement.dataset.scheme = next;
    stage.setScheme(next);
    curves.draw();
  };
  const panel = make("footer", { class: "page-panel" });
  const bar = new Bar(
    playback,
    { fps: data.fps, frames: data.frames },
    {
      follow: (on) => {
        stage.follow(on ? data.characters.map(({ id }) => id) : null);
      },
      names: (on) => {
        names.showAll(on);
      },
      traces: (on) => {
        stage.setTraces(on);
      },
      curves: (on) => {
        curves.canvas.hidden = !on;
      },
      dark: (on) => {
        paint(on ? "dark" : "light");
      },
      fit: () => {
        stage.fit();
      },
    },
    scheme === "dark",
  );
  curves.canvas.hidden = playback.total < 2;
  panel.append(curves.canvas, bar.element);
  root.append(makeHeader(data), panel);
  const cover = (): void => {
    stage.rig.inset = [0, 0, 0, panel.offsetHeight];
    stage.resize();
  };
  cover();
  new ResizeObserver(cover).observe(panel);
  const flips = { f: "follow", n: "names", t: "traces", c: "curves", d: "dark" };
  const more = Object.entries(flips).map(([key, word]) => [key, () => { bar.flip(word); }] as const);
  bindKeys(playback, { ...Object.fromEntries(more), a: () => { stage.fit(); } });
  stage.attach(playback);
  stage.fit(data.camera);
  playback.play();
  Object.assign(window, { motionloom: { stage, playback, data } });
}
