/** The line to the server: packed maps over a WebSocket, opened again when it breaks. */

import { decode, encode } from "@msgpack/msgpack";
import type { ClientMessage, ServerMessage } from "./messages";

export type Connection = "connecting" | "open" | "lost";

export interface Line {
  send(message: ClientMessage): boolean;
  close(): void;
}

export interface LineOptions {
  url: string;
  onMessage: (message: ServerMessage, bytes: number) => void;
  onState: (state: Connection) => void;
  /** For tests. */
  open?: (url: string) => WebSocket;
}

/** Waits before it is tried again, milliseconds. */
const WAITS = [200, 400, 800, 1500, 3000];

const openSocket = (url: string): WebSocket => new WebSocket(url, "motionloom.1");

/** Open a line that stays open as long as there is a server. */
export function openLine(options: LineOptions): Line {
  let socket: WebSocket | null = null;
  let tries = 0;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const connect = (): void => {
    options.onState(tries === 0 ? "connecting" : "lost");
    const one = (options.open ?? openSocket)(options.url);
    one.binaryType = "arraybuffer";
    socket = one;
    one.onopen = () => {
      tries = 0;
      one.send(encode({ type: "hello", protocol: 1 }));
      options.onState("open");
    };
    one.onmessage = (event: MessageEvent<ArrayBuffer>) => {
      options.onMessage(decode(new Uint8Array(event.data)) as ServerMessage, event.data.byteLength);
    };
    one.onclose = () => {
      if (isClosed || socket !== one) return;
      options.onState("lost");
      timer = setTimeout(connect, WAITS[Math.min(tries, WAITS.length - 1)]);
      tries += 1;
    };
  };

  connect();
  return {
    send(message) {
      if (socket?.readyState !== 1) return false;
      socket.send(encode(message, { ignoreUndefined: true }));
      return true;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
