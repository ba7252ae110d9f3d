// World positions of the nodes of an FBX file, as three.js' FBXLoader has them.
// node three_positions.mjs FOLDER_OF_THREE FILE FRAME_TIME FRAMES NAMES_JSON OUT_JSON
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, file, frameTime, frames, names, out] = process.argv.slice(2);
const at = (place) => pathToFileURL(path.join(folder, place)).href;
const THREE = await import(at('build/three.module.js'));
const { FBXLoader } = await import(at('examples/jsm/loaders/FBXLoader.js'));
const bytes = fs.readFileSync(file);
const scene = new FBXLoader().parse(
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
const mixer = new THREE.AnimationMixer(scene);
const clip = scene.animations[0];
const action = mixer.clipAction(clip);
action.setLoop(THREE.LoopOnce);
action.clampWhenFinished = true;
action.play();
const found = JSON.parse(names).map((name) => {
  let node = null;
  scene.traverse((n) => {
    if (n.userData.originalName === name || n.name === name) node = node ?? n;
  });
  return node;
});
const place = new THREE.Vector3();
const rows = [];
for (let i = 0; i < Number(frames); i++) {
  mixer.setTime(Math.min(i * Number(frameTime), clip.duration));
  scene.updateMatrixWorld(true);
  rows.push(found.map((node) => (node ? node.getWorldPosition(place).toArray() : null)));
}
let bones = 0;
scene.traverse((n) => { if (n.isSkinnedMesh) bones += n.skeleton.bones.length; });
fs.writeFileSync(out, JSON.stringify({ rows, skinned: bones, duration: clip.duration }));
