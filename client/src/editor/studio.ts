/** The studio: everything put together. */

import { Playback } from "../playback";
import { Stage } from "../scene";
import type { ClientMessage } from "../net/messages";
import { openLine } from "../net/socket";
import { Uploads } from "../net/uploads";
import type { Item } from "./doc/items";
import { bodiesOf } from "./bodies";
import { Editing } from "./editing";
import { EditedView } from "./handles/view";
import { receive } from "./incoming";
import { inspect } from "./inspect";
import { listenToKeys } from "./keyboard";
import { Stopwatch } from "./measure";
import { makeExportPanel } from "./panels/export";
import { makeNameLists } from "./panels/form";
import { acceptDrops, makeLibraryPanel } from "./panels/library";
import { makeReportPanel } from "./panels/report";
import { makeShotPanel } from "./panels/shot";
import { makeSpanPanel } from "./panels/span";
import { fillPanel } from "./panels/tabs";
import { makeBegin } from "./shell/begin";
import { setText } from "./shell/dom";
import { makeCaveat } from "./shell/caveat";
import { makeFirstVisit } from "./shell/first";
import { makeHelp } from "./shell/help";
import { makeLayout } from "./shell/layout";
import { listenToRegions } from "./shell/regions";
import { notify, showNotices } from "./shell/notices";
import { goToTrouble, toldOf } from "./shell/trouble";
import { Sight } from "./shell/sight";
import { fillTools } from "./shell/tools";
import { fillBar } from "./shell/topbar";
import { Store } from "./store";
import { Timeline } from "./timeline/timeline";

const MOST_UPLOAD = 200e6;

export function startStudio(app: HTMLElement): void {
  const store = new Store();
  const layout = makeLayout(app);
  const stage = new Stage(layout.view);
  const playback = new Playback();
  stage.attach(playback);
  store.bodies = bodiesOf(stage);
  const send = (message: ClientMessage): boolean => line.send(message);
  const editing = new Editing(store, send);
  const watch = new Stopwatch(stage);
  editing.onAnswer = (movedAt) => { watch.answered(movedAt); };

  const choose = (item: Item | null): void => {
    store.choose(item);
  };
  const chooseId = (id: string): void => {
    store.set({ chosen: id, tab: "span", who: id.split("/")[1] ?? store.now.who });
  };
  const open = (item: Item): void => {
    choose(item);
    layout.root.classList.add("panel-open");
    layout.panel.querySelector<HTMLElement>(".span-panel input, .span-panel select")?.focus();
  };
  const say = (text: string): void => { setText(layout.said, text); };
  const view = new EditedView({ store, editing, playback, stage, say });
  const tracks = () =>
    new Map([...stage.figures].flatMap(([who, one]) => (one.track === null ? [] : [[who, one.track] as const])));
  const timeline = new Timeline(layout.timeline, { store, editing, playback, tracks, choose, open });
  const uploads = new Uploads(
    send,
    () => store.now.welcome?.limits["upload"] ?? MOST_UPLOAD,
    () => store.now.welcome?.kinds ?? [],
  );
  uploads.onRefused = (message) => { notify(store, { message }); };
  const tools = { store, editing, playback, send, choose: chooseId };
  const begin = makeBegin(store, send);
  fillPanel(layout.panel, store, {
    span: makeSpanPanel(tools),
    report: makeReportPanel(tools),
    library: makeLibraryPanel(store, editing, uploads),
    shot: makeShotPanel({ ...tools, begin: begin.open }),
    export: makeExportPanel(store, send),
  });
  const help = makeHelp();
  layout.root.append(help.element, begin.element, makeNameLists(tools));
  layout.view.append(makeFirstVisit(store), makeCaveat(store));
  acceptDrops(layout.root, uploads);
  listenToRegions(layout);
  showNotices(layout.notices, store);

  const sight = new Sight(stage, store, playback);
  const camera = fillTools(layout.tools, store, {
    fit: () => { stage.fit(); },
    follow: () => sight.toggle(),
    ghost: () => view.ghost.toggle(),
  });
  fillBar(layout.bar, store, editing, playback, {
    help: help.toggle,
    panel: () => { layout.root.classList.toggle("panel-open"); },
    tab: (tab) => {
      store.set({ tab });
      layout.root.classList.add("panel-open");
    },
    problem: () => {
      const [problem] = store.now.shot?.problems ?? [];
      if (problem !== undefined) {
        goToTrouble(store, problem);
        notify(store, toldOf(problem));
      }
      store.set({ tab: "report" });
      layout.root.classList.add("panel-open");
    },
    solve: () => { send({ type: "solve", quality: "final" }); },
  });
  listenToKeys({
    ...{ store, editing, playback, stage, follow: camera.follow, ghost: camera.ghost, help: help.toggle },
    close: () => {
      const isOpen = layout.root.classList.contains("panel-open");
      layout.root.classList.remove("panel-open");
      return isOpen;
    },
  });
  playback.onFrame((frame) => { store.set({ frame: Math.round(frame) }); });
  playback.onState(() => { store.set({ isPlaying: playback.playing }); });
  store.on(["isDragging"], ({ isDragging }) => {
    stage.setHasty(isDragging);
    if (!isDragging) store.set({ isPulling: false });
  });
  store.onCalm(["motions"], () => { timeline.drawSheets(); });
  store.on(["connection"], ({ connection }) => {
    if (connection !== "lost") return;
    editing.lost();
    store.set({ making: null, isExporting: false, idleRev: -1, reportRev: -1 });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    scheme(stage, event.matches);
    timeline.drawSheets();
  });
  scheme(stage, matchMedia("(prefers-color-scheme: dark)").matches);

  Object.assign(window, { motionloom: inspect(store, stage, view.joints, playback) });

  let isFirst = true;
  let isFitted = false;
  const line = openLine({
    url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`,
    onState: (connection) => { store.set({ connection }); },
    onMessage: (message) => {
      receive(message, {
        ...{ store, editing, playback, stage, onMotion: () => { shown(); } },
        onUpload: (id) => { uploads.ended(id); },
      });
    },
  });
  const shown = (): void => {
    store.set({ motions: store.now.motions + 1 });
    if (!isFitted && store.now.plan !== null) {
      isFitted = true;
      stage.fit([38, 18]);
    }
    if (!isFirst) return;
    isFirst = false;
    stage.fit([38, 18]);
    playback.play();
    performance.mark("first-motion");
  };
}

function scheme(stage: Stage, isDark: boolean): void {
  document.documentElement.dataset["scheme"] = isDark ? "dark" : "light";
  stage.setScheme(isDark ? "dark" : "light");
}
