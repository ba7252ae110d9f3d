/** Files sent in pieces, with a sum by which the server knows that they are whole. */

import type { ClientMessage } from "./messages";

const CHUNK = 256 * 1024;

export class Uploads {
  private count = 0;
  /** Files on their way, by their ids. */
  private readonly going = new Map<string, string>();
  onState: (text: string) => void = () => undefined;
  /** A file is not sent at all. */
  onRefused: (text: string) => void = () => undefined;

  constructor(
    private readonly send_: (message: ClientMessage) => boolean,
    private readonly limit: () => number,
    private readonly kinds: () => readonly string[] = () => [],
  ) {}

  /** Why a file is not sent, as far as its name and size tell. */
  whyNot({ name, size }: { name: string; size: number }): string | null {
    const kinds = this.kinds();
    if (kinds.length > 0 && !kinds.some((kind) => name.toLowerCase().endsWith(kind))) {
      return `is no motion of a skeleton; bring one of ${kinds.join(", ")}`;
    }
    if (size === 0) return "the file is empty";
    const most = Math.round(this.limit() / 1e6);
    return size > this.limit() ? `has more than ${String(most)} MB; put it into the folder of clips yourself` : null;
  }

  async send(file: File): Promise<void> {
    const reason = this.whyNot(file);
    if (reason !== null) {
      this.onRefused(`${file.name}: ${reason}`);
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const sha256 = [...digest].map((one) => one.toString(16).padStart(2, "0")).join("");
    const id = `u${String(++this.count)}`;
    this.going.set(id, file.name);
    this.tell();
    this.send_({ type: "upload", id, name: file.name, size: bytes.length, sha256 });
    for (let offset = 0; offset < bytes.length || offset === 0; offset += CHUNK) {
      if (!this.going.has(id)) return;
      this.send_({ type: "chunk", id, offset, data: bytes.subarray(offset, offset + CHUNK) });
    }
  }

  /** A file has come, or was refused: no more is said of it, nor sent. */
  ended(id: string): void {
    if (this.going.delete(id)) this.tell();
  }

  private tell(): void {
    const names = [...this.going.values()];
    this.onState(names.length === 0 ? "" : `bringing ${names.join(", ")}`);
  }
}
