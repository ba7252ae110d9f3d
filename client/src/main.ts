/** One bundle, two modes: a page whose data lies in it, or a studio that talks to a server. */
import { startStudio } from "./editor/studio";
import { startPage } from "./page/start";

const root = document.getElementById("app") ?? document.body;
const page = document.getElementById("motionloom");
if (page === null) {
  document.title = "motionloom studio";
  startStudio(root);
} else void startPage(root, page.textContent);
