/** The ground: a grid of metres that fades far away, with numbers along its lines.
 *
 * Ground and sky have one colour: painting every pixel of the ground costs more than all else where no
 * graphics card helps. */
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Vector3,
} from "three";
import type { Palette } from "./colors";

/** Numbers are drawn this many lines to each side of the middle, lines of metres twice as many. */
const NUMBERED = 10;
const LINES = 26;
/** Half metres are drawn this many metres to each side. */
const FINE = 7;

export class GroundGrid {
  readonly group = new Group();
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly numbers: Mesh<BufferGeometry, MeshBasicMaterial>;
  private key = "";

  constructor(private palette: Palette) {
    this.lines = new LineSegments(
      new BufferGeometry(),
      new LineBasicMaterial({ vertexColors: true, depthWrite: false }),
    );
    this.lines.renderOrder = -2;
    this.numbers = new Mesh(
      new BufferGeometry(),
      new MeshBasicMaterial({ transparent: true, depthWrite: false, map: numberTexture() }),
    );
    this.numbers.renderOrder = -1;
    for (const part of [this.lines, this.numbers]) part.frustumCulled = false;
    this.group.add(this.lines, this.numbers);
    this.paint(palette);
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.numbers.material.color.set(palette.text);
    this.key = "";
  }

  /** Lie around what the camera looks at, as wide as it sees. */
  follow(target: Vector3, distance: number): void {
    const every = distance < 14 ? 1 : distance < 45 ? 5 : 10;
    const [x, z] = [target.x, target.z].map((value) => Math.round(value / every / 2) * every * 2) as [number, number];
    const key = [x, z, every].join();
    if (key === this.key) return;
    this.key = key;
    this.rule(x, z, every);
    this.number(x, z, every);
  }

  /** Lines of metres and, near the middle, of half metres, in pieces that fade far away. */
  private rule(x: number, z: number, every: number): void {
    const far = LINES * every;
    const vertices: number[] = [];
    const colors: number[] = [];
    const line = (name: "line" | "meter", off: number, half: number, piece: number, fade: number): void => {
      for (let at = -half; at < half - 1e-6; at += piece) {
        for (const end of [at, at + piece]) {
          const color = this.inkAt(name, Math.hypot(off, end), fade);
          vertices.push(x + off, 0, z + end);
          colors.push(color.r, color.g, color.b);
        }
        for (const end of [at, at + piece]) {
          const color = this.inkAt(name, Math.hypot(off, end), fade);
          vertices.push(x + end, 0, z + off);
          colors.push(color.r, color.g, color.b);
        }
      }
    };
    const fine = FINE * every;
    for (let k = -FINE; k < FINE; k++) line("line", (k + 0.5) * every, fine, fine / 3.5, 1.1 * fine);
    for (let k = -LINES; k <= LINES; k++) line("meter", k * every, far, far / 6.5, far);
    write(this.lines.geometry, vertices, colors);
  }

  /** A line's colour that becomes the ground's at `far` metres from the middle. */
  private inkAt(name: "line" | "meter", away: number, far: number): Color {
    const share = Math.min(Math.max(away / far - 0.15, 0) / 0.85, 1);
    return new Color(this.palette[name]).lerp(new Color(this.palette.ground), share * (2 - share));
  }

  /** Numbers of metres along the lines x = 0 and z = 0. */
  private number(x: number, z: number, every: number): void {
    const places: [number, number, number][] = [];
    for (let k = -NUMBERED; k <= NUMBERED; k++) {
      const along = (middle: number): number => (Math.round(middle / every) + k) * every;
      if (Math.abs(x) <= NUMBERED * every) places.push([0, along(z), along(z)]);
      if (Math.abs(z) <= NUMBERED * every && along(x) !== 0) places.push([along(x), 0, along(x)]);
    }
    const size = 0.13 * Math.sqrt(every) * (every > 1 ? 1.6 : 1);
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

function write(geometry: BufferGeometry, vertices: number[], colors: number[]): void {
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(vertices), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 3));
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
