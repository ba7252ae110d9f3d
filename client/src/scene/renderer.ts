/** The renderer: draws only when something changed, and cheaply where no graphics card helps. */
import { Color, HemisphereLight, DirectionalLight, Scene, WebGLRenderer, type PerspectiveCamera } from "three";
import type { Palette } from "./colors";

/** Whether this machine draws without a graphics card. */
export function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return true;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

export class Painter {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  /** Pictures drawn so far. */
  pictures = 0;
  private readonly hemisphere = new HemisphereLight(0xffffff, 0x8a8f99, 1.9);
  private readonly sun = new DirectionalLight(0xffffff, 1.7);

  constructor(canvas: HTMLCanvasElement, maxPixelRatio?: number) {
    const software = drawsInSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    const most = maxPixelRatio ?? (software ? 1 : 2);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, most));
    this.sun.position.set(2, 5, 3);
    this.scene.add(this.hemisphere, this.sun);
  }

  paint(palette: Palette): void {
    this.scene.background = new Color(palette.sky);
  }

  /** The light comes from over the reader's shoulder, so that no view shows a dark side only. */
  draw(camera: PerspectiveCamera): void {
    this.sun.position.copy(camera.position).setY(camera.position.y + 6);
    this.sun.target.position.set(0, 0, 0);
    this.renderer.render(this.scene, camera);
    this.pictures++;
  }

  dispose(): void {
    this.renderer.dispose();
  }
}
