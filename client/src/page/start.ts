/** The static page: motions that lie in the page, played without a server. */
import { Playback } from "../playback";
import { Stage } from "../scene/stage";
import { readPage } from "./data";

export async function startPage(root: HTMLElement, text: string): Promise<void> {
  const data = await readPage(text);
  const stage = new Stage(root);
  const playback = new Playback();
  for (const character of data.characters) stage.addCharacter(character);
  for (const motion of data.motions) stage.setMotion(motion);
  data.drawables.forEach((drawable, i) => { stage.setDrawable(`page:${String(i)}`, drawable); });
  const [first] = data.motions;
  playback.setLength(Math.max(1, ...data.motions.map((m) => m.total)), first?.fps ?? 30);
  stage.attach(playback);
  stage.fit(data.camera);
  playback.play();
  Object.assign(window, { motionloom: { stage, playback, data } });
}
