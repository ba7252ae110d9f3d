/** Messages of the studio's socket: msgpack maps with a `type`. */
import { decode, encode } from "@msgpack/msgpack";

export interface Message {
  type: string;
  [field: string]: unknown;
}

export function readMessage(data: ArrayBuffer | Uint8Array): Message {
  const value = decode(data);
  if (typeof value !== "object" || value === null || !("type" in value)) {
    throw new TypeError("a message is not a map with a type");
  }
  return value as Message;
}

export const writeMessage = (message: Message): Uint8Array => encode(message);
