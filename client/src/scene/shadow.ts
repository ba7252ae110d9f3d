/** Soft dark spots below the body and its feet: where it stands, without the cost of shadow maps. */
import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial } from "three";
import type { Character } from "../model";
import { tallOf, USUAL } from "./size";
import type { HeightOf } from "./terrain";

const VERTEX = `attribute vec2 corner; attribute float dark; varying vec2 at; varying float ink;
void main() { at = corner; ink = dark;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const FRAGMENT = `varying vec2 at; varying float ink;
void main() { float r = 1.0 - min(length(at), 1.0); gl_FragColor = vec4(0.0, 0.0, 0.0, ink * r * r); }`;
const CORNERS = [-1, -1, 1, -1, -1, 1, 1, 1];
/** Role, radius (metres), darkness, and height at which the spot has gone (metres). */
const SPOTS: readonly [string, number, number, number][] = [
  ["hips", 0.55, 0.75, 3],
  ["left_foot", 0.2, 0.9, 0.6],
  ["right_foot", 0.2, 0.9, 0.6],
];

export class Shadow {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly spots: { joint: number; radius: number; dark: number; gone: number }[] = [];

  constructor(
    character: Character,
    private strength: number,
    private height: HeightOf,
  ) {
    const size = tallOf(character) / USUAL;
    for (const [role, radius, dark, gone] of SPOTS) {
      const joint = character.roles[role];
      if (joint !== undefined) this.spots.push({ joint, radius: size * radius, dark, gone: size * gone });
    }
    const count = this.spots.length;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(count * 12), 3));
    geometry.setAttribute("dark", new BufferAttribute(new Float32Array(count * 4), 1));
    const corners = Array.from({ length: count }, () => CORNERS).flat();
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array(corners), 2));
    geometry.setIndex(this.spots.flatMap((_, i) => [0, 2, 1, 1, 2, 3].map((k) => 4 * i + k)));
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  paint(strength: number, height: HeightOf): void {
    this.strength = strength;
    this.height = height;
  }

  show(positions: Float32Array): void {
    const { position, dark } = this.mesh.geometry.attributes;
    this.spots.forEach((spot, i) => {
      const [x, y, z] = [0, 1, 2].map((k) => positions[spot.joint * 3 + k]) as [number, number, number];
      const ground = this.height(x, z);
      const ink = spot.dark * this.strength * Math.max(1 - Math.max(y - ground, 0) / spot.gone, 0);
      for (let k = 0; k < 4; k++) {
        const [a, b] = [CORNERS[2 * k] as number, CORNERS[2 * k + 1] as number];
        position?.setXYZ(4 * i + k, x + a * spot.radius, ground + 0.003, z + b * spot.radius);
        dark?.setX(4 * i + k, ink);
      }
    });
    if (position) position.needsUpdate = true;
    if (dark) dark.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
