/** Curves over time with a cursor: speeds of the bodies, contacts as bars, times of targets. */
import type { Playback } from "../playback";
import { runsOf } from "../scene/trail";
import { highest } from "./speeds";

export interface Curve {
  speed: Float32Array;
  color: string;
  contacts: { down: Uint8Array; color: string; name: string }[];
}

const TOP = 20;
const BAR = 8;
const ROOM = 10;

export class Curves {
  readonly canvas = document.createElement("canvas");
  private readonly most: number;
  private readonly rows: { down: Uint8Array; color: string }[];
  /** All but the cursor. */
  private readonly back = document.createElement("canvas");

  constructor(
    private readonly playback: Playback,
    private readonly curves: readonly Curve[],
    private readonly times: readonly number[],
  ) {
    this.canvas.className = "page-curves";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "speed of the body over time, with contacts of the feet as bars");
    this.most = highest(curves.map((curve) => curve.speed));
    this.rows = curves.flatMap((curve) => curve.contacts).slice(0, 6);
    for (const type of ["pointerdown", "pointermove"] as const) {
      this.canvas.addEventListener(type, (event) => {
        this.seek(event);
      });
    }
    playback.onFrame(() => {
      this.cursor();
    });
    new ResizeObserver(() => {
      this.draw();
    }).observe(this.canvas);
  }

  /** Draw everything anew, such as in another size or scheme. */
  draw(): void {
    const { canvas } = this;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const pen = this.back.getContext("2d");
    if (!pen || width === 0 || height === 0) return;
    for (const one of [canvas, this.back]) {
      one.width = Math.round(width * scale);
      one.height = Math.round(height * scale);
    }
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const style = getComputedStyle(canvas);
    this.words(pen, style.color);
    this.targets(pen, style.getPropertyValue("--accent"));
    for (const curve of this.curves) this.line(pen, curve);
    this.bars(pen);
    this.cursor();
  }

  private get bottom(): number {
    return this.canvas.clientHeight - 6 - BAR * this.rows.length;
  }

  private x(frame: number): number {
    return ROOM + ((this.canvas.clientWidth - 2 * ROOM) * frame) / Math.max(this.playback.total - 1, 1);
  }

  private words(pen: CanvasRenderingContext2D, color: string): void {
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = color;
    const bars = this.rows.length > 0 ? "; bars: contacts" : "";
    pen.fillText(`speed of the body, to ${this.most.toFixed(1)} m/s${bars}`, ROOM, 13);
    pen.globalAlpha = 0.3;
    pen.fillRect(ROOM, this.bottom, this.canvas.clientWidth - 2 * ROOM, 1);
    pen.globalAlpha = 1;
  }

  private targets(pen: CanvasRenderingContext2D, color: string): void {
    pen.strokeStyle = color;
    pen.lineWidth = 1;
    pen.setLineDash([2, 3]);
    for (const time of this.times) {
      const x = this.x(time * this.playback.fps);
      pen.beginPath();
      pen.moveTo(x, TOP);
      pen.lineTo(x, this.bottom);
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  private line(pen: CanvasRenderingContext2D, curve: Curve): void {
    const { speed } = curve;
    const step = Math.max(Math.floor(speed.length / (2 * this.canvas.clientWidth)), 1);
    pen.strokeStyle = curve.color;
    pen.lineWidth = 1.6;
    pen.beginPath();
    for (let i = 0; i < speed.length; i += step) {
      const share = Math.min((speed[i] as number) / this.most, 1);
      pen.lineTo(this.x(i), this.bottom - (this.bottom - TOP) * share);
    }
    pen.stroke();
  }

  private bars(pen: CanvasRenderingContext2D): void {
    this.rows.forEach(({ down, color }, row) => {
      pen.fillStyle = color;
      for (const [first, last] of runsOf(down)) {
        const x = this.x(Math.max(first - 0.5, 0));
        pen.fillRect(x, this.bottom + 4 + BAR * row, Math.max(this.x(last + 0.5) - x, 1), BAR - 3);
      }
    });
  }

  private cursor(): void {
    const pen = this.canvas.getContext("2d");
    if (!pen || this.back.width === 0 || this.canvas.clientWidth === 0) return;
    const scale = devicePixelRatio || 1;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.back, 0, 0);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = getComputedStyle(this.canvas).getPropertyValue("--accent");
    pen.fillRect(this.x(this.playback.frame) - 0.75, TOP - 4, 1.5, this.canvas.clientHeight - TOP);
  }

  private seek(event: PointerEvent): void {
    if (event.buttons !== 1) return;
    if (event.type === "pointerdown") this.canvas.setPointerCapture(event.pointerId);
    const share = (event.offsetX - ROOM) / Math.max(this.canvas.clientWidth - 2 * ROOM, 1);
    this.playback.pause();
    this.playback.seek(Math.round(share * (this.playback.total - 1)));
  }
}
