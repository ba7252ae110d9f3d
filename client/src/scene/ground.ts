/** The ground: a grid of metres that fades far away, with numbers along its lines. */
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  ShaderMaterial,
  type Vector3,
} from "three";
import type { Palette } from "./colors";

const VERTEX = `varying vec2 place; varying vec3 seen;
void main() { vec4 at = modelMatrix * vec4(position, 1.0); place = at.xz;
  vec4 view = viewMatrix * at; seen = view.xyz; gl_Position = projectionMatrix * view; }`;
const FRAGMENT = `uniform vec3 ground, line, meter, sky; uniform float reach; uniform vec2 middle;
varying vec2 place; varying vec3 seen;
float lines(vec2 at, float width) { vec2 blur = fwidth(at); vec2 near = abs(fract(at - 0.5) - 0.5);
  vec2 ink = clamp((width + 1.0) * 0.5 - near / max(blur, 1e-5), 0.0, 1.0);
  ink *= 1.0 - smoothstep(0.3, 0.9, blur); return max(ink.x, ink.y); }
void main() { vec3 color = mix(ground, line, lines(place * 2.0, 0.6));
  color = mix(color, meter, lines(place, 0.9));
  float far = smoothstep(0.35, 1.0, length(place - middle) / reach);
  gl_FragColor = vec4(mix(color, sky, far), 1.0); 
  #include <colorspace_fragment>
}`;
/** Numbers are drawn this many metres to each side of the middle. */
const NUMBERED = 10;

export class GroundGrid {
  readonly group = new Group();
  private readonly plane: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly numbers: Mesh<BufferGeometry, MeshBasicMaterial>;
  private key = "";

  constructor(palette: Palette) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        ground: { value: new Color() },
        line: { value: new Color() },
        meter: { value: new Color() },
        sky: { value: new Color() },
        reach: { value: 20 },
        middle: { value: [0, 0] },
      },
    });
    this.plane = new Mesh(new PlaneGeometry(2, 2).rotateX(-Math.PI / 2), material);
    this.plane.renderOrder = -2;
    this.plane.position.y = -0.002;
    this.numbers = new Mesh(
      new BufferGeometry(),
      new MeshBasicMaterial({ transparent: true, depthWrite: false, map: numberTexture() }),
    );
    this.numbers.frustumCulled = false;
    this.numbers.renderOrder = -1;
    this.group.add(this.plane, this.numbers);
    this.paint(palette);
  }

  paint(palette: Palette): void {
    const { uniforms } = this.plane.material;
    for (const name of ["ground", "line", "meter", "sky"] as const) {
      (uniforms[name]?.value as Color).set(palette[name]);
    }
    this.numbers.material.color.set(palette.text);
  }

  /** Lie around what the camera looks at, as wide as it sees. */
  follow(target: Vector3, distance: number): void {
    const reach = Math.min(Math.max(6 * distance, 14), 300);
    const [x, z] = [Math.round(target.x), Math.round(target.z)];
    this.plane.position.set(x, -0.002, z);
    this.plane.scale.set(reach, 1, reach);
    const { uniforms } = this.plane.material;
    if (uniforms.reach) uniforms.reach.value = reach;
    if (uniforms.middle) uniforms.middle.value = [target.x, target.z];
    const every = distance < 9 ? 1 : distance < 30 ? 5 : 10;
    const key = [Math.round(x / every), Math.round(z / every), every].join();
    if (key !== this.key) {
      this.key = key;
      this.number(x, z, every);
    }
  }

  /** Numbers of metres along the lines x = 0 and z = 0. */
  private number(x: number, z: number, every: number): void {
    const places: [number, number, number][] = [];
    for (let k = -NUMBERED; k <= NUMBERED; k++) {
      const along = (middle: number): number => (Math.round(middle / every) + k) * every;
      if (Math.abs(x) <= NUMBERED * every) places.push([0, along(z), along(z)]);
      if (Math.abs(z) <= NUMBERED * every && along(x) !== 0) places.push([along(x), 0, along(x)]);
    }
    const size = 0.13 * Math.sqrt(every);
    const vertices: number[] = [];
    const maps: number[] = [];
    const faces: number[] = [];
    for (const [px, pz, value] of places.filter(([, , v]) => Math.abs(v) <= 99)) {
      const first = vertices.length / 3;
      const [u, v] = cellOf(value);
      for (const [a, b] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) {
        vertices.push(px + (2 * a + 0.2) * size, 0.001, pz + (0.9 - b) * size);
        maps.push(u + a * CELL_U, v + b * CELL_V);
      }
      faces.push(first, first + 1, first + 2, first + 1, first + 3, first + 2);
    }
    const { geometry } = this.numbers;
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(vertices), 3));
    geometry.setAttribute("uv", new BufferAttribute(new Float32Array(maps), 2));
    geometry.setIndex(faces);
  }
}

/** -99 to 99 in a texture of 10 by 20 cells. */
const COLUMNS = 10;
const ROWS = 20;
const CELL_U = 1 / COLUMNS;
const CELL_V = 1 / ROWS;

function cellOf(value: number): [number, number] {
  const slot = value + 99;
  return [(slot % COLUMNS) * CELL_U, 1 - (Math.floor(slot / COLUMNS) + 1) * CELL_V];
}

function numberTexture(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = 640;
  canvas.height = 640;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.font = "600 28px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillStyle = "#ffffff";
    for (let value = -99; value <= 99; value++) {
      const slot = value + 99;
      pen.fillText(String(value), (slot % COLUMNS) * 64 + 3, Math.floor(slot / COLUMNS) * 32 + 17);
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.anisotropy = 4;
  return texture;
}
