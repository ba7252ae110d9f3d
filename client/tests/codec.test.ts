import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeMotion, floats } from "../src/codec/decode";
import { fromBase64, undelta, unpack } from "../src/codec/inline";
import { readMessage, writeMessage } from "../src/codec/wire";

const packed = (bytes: Uint8Array): { gz: string } => ({ gz: gzipSync(bytes).toString("base64") });

describe("data in a page", () => {
  it("gives bytes back wherever they lie", async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 37) % 256);
    const value = { a: [1, packed(bytes)], b: { c: packed(bytes), d: "gz" }, e: null };
    expect(await unpack(value)).toEqual({ a: [1, bytes], b: { c: bytes, d: "gz" }, e: null });
  });

  it("reads base64", () => {
    expect([...fromBase64("AP8QIA==")]).toEqual([0, 255, 16, 32]);
  });

  it("adds differences up, over the edges of 16 bits too", () => {
    const rows = [
      [100, -32768],
      [-200, 32767],
      [300, 5],
    ];
    const low: number[] = [];
    const high: number[] = [];
    for (const column of [0, 1]) {
      rows.forEach((row, i) => {
        const step = ((row[column] as number) - (i > 0 ? (rows[i - 1]?.[column] as number) : 0)) & 0xffff;
        low.push(step & 0xff);
        high.push(step >> 8);
      });
    }
    const numbers = new Int16Array(undelta(Uint8Array.from([...low, ...high]), 3, 2).buffer);
    expect([...numbers]).toEqual(rows.flat());
  });
});

describe("messages", () => {
  it("survive the wire", () => {
    const message = { type: "motion", who: "anna", root: new Uint8Array([1, 2, 3]), list: [1, "ü", null] };
    expect(readMessage(writeMessage(message))).toEqual(message);
  });

  it("that are no maps with a type are refused", () => {
    for (const bad of [[1], "x", { no: 1 }, null]) {
      const data = writeMessage(bad as never);
      expect(() => readMessage(data)).toThrow(TypeError);
    }
  });

  it("have numbers that need not lie on their boundaries", () => {
    const odd = new Uint8Array(9);
    odd.set(new Uint8Array(new Float32Array([1.5, -2]).buffer), 1);
    expect([...floats(odd.subarray(1))]).toEqual([1.5, -2]);
  });

  it("without bytes where bytes belong are refused", () => {
    expect(() => decodeMotion({ who: "a", quats: "no", root: new Uint8Array(0) })).toThrow(TypeError);
  });
});
