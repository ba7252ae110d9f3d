/** The renderer: draws only when something changed, and cheaply where no graphics card helps. */
import { Color, HemisphereLight, DirectionalLight, Scene, WebGLRenderer, type PerspectiveCamera, type WebGLProgram } from "three";
import type { Palette } from "./colors";

/** Whether a context draws without a graphics card. */
export function drawsInSoftware(context: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

/** Pixels per pixel of a still picture where edges are smoothed by nothing else. */
const STILL = 2;
/** Milliseconds without a change after which a picture is still. */
const CALM = 400;

export class Painter {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  /** Pictures drawn so far. */
  pictures = 0;
  /** Whether somebody waits for every picture: none is smoothed then. */
  isHasty = false;
  private readonly software: boolean;
  private readonly ratio: number;
  private readonly hemisphere = new HemisphereLight(0xffffff, 0x8a8f99, 1.9);
  private readonly sun = new DirectionalLight(0xffffff, 1.7);
  private size: [number, number] = [1, 1];
  private calm = 0;
  private readonly shaders = new Set<WebGLProgram>();

  constructor(canvas: HTMLCanvasElement, maxPixelRatio?: number) {
    this.renderer = new WebGLRenderer({ canvas, powerPreference: "high-performance" });
    this.software = drawsInSoftware(this.renderer.getContext());
    // Edges are smoothed by drawing more pixels than are shown.
    this.ratio = Math.min(maxPixelRatio ?? STILL, this.software ? 1 : STILL);
    this.renderer.setPixelRatio(this.ratio);
    // Asking whether a shader has faults waits until everything before it is drawn.
    this.renderer.debug.checkShaderErrors = false;
    this.sun.position.set(2, 5, 3);
    this.scene.add(this.hemisphere, this.sun);
  }

  paint(palette: Palette): void {
    this.scene.background = new Color(palette.ground);
  }

  resize(width: number, height: number): void {
    this.size = [width, height];
    this.renderer.setSize(width, height, false);
  }

  /** Draw at once; without a graphics card the last of several pictures is drawn again, smoothly. */
  draw(camera: PerspectiveCamera): void {
    clearTimeout(this.calm);
    this.useRatio(this.ratio);
    this.render(camera);
    this.pictures++;
    if (!this.software || this.isHasty) return;
    this.calm = window.setTimeout(() => {
      this.useRatio(STILL);
      this.render(camera);
    }, CALM);
  }

  /** The light comes from over the reader's shoulder, so that no view shows a dark side only. */
  private render(camera: PerspectiveCamera): void {
    this.sun.position.copy(camera.position).setY(camera.position.y + 6);
    this.renderer.render(this.scene, camera);
    this.keepShaders();
  }

  /** Shaders stay when the last thing drawn with them goes: a new one takes longer than a picture. */
  private keepShaders(): void {
    for (const shader of this.renderer.info.programs ?? []) {
      if (this.shaders.has(shader)) continue;
      this.shaders.add(shader);
      shader.usedTimes++;
    }
  }

  private useRatio(ratio: number): void {
    if (this.renderer.getPixelRatio() === ratio) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(...this.size, false);
  }

  dispose(): void {
    clearTimeout(this.calm);
    this.renderer.dispose();
  }
}
