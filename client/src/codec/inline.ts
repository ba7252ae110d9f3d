/** Data that lies in a page: JSON in which bytes are base64 of gzip. */

/** Bytes as the page holds them; with `delta` 16-bit numbers [rows, columns] stored by columns, each
 * but the first as what it adds to the one before, low bytes before high bytes. */
interface Packed {
  gz: string;
  delta?: [number, number];
}

function isPacked(value: unknown): value is Packed {
  return typeof value === "object" && value !== null && "gz" in value && typeof value.gz === "string";
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

export async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Rows of 16-bit numbers again, from columns of differences. */
export function undelta(bytes: Uint8Array, rows: number, columns: number): Uint8Array {
  const count = rows * columns;
  const out = new Int16Array(count);
  for (let column = 0; column < columns; column++) {
    let value = 0;
    for (let row = 0; row < rows; row++) {
      const at = column * rows + row;
      value = (value + (bytes[at] ?? 0) + ((bytes[count + at] ?? 0) << 8)) & 0xffff;
      out[row * columns + column] = value;
    }
  }
  return new Uint8Array(out.buffer);
}

/** The same value with bytes in place of what was packed. */
export async function unpack(value: unknown): Promise<unknown> {
  if (isPacked(value)) {
    const bytes = await unzip(fromBase64(value.gz));
    return value.delta ? undelta(bytes, ...value.delta) : bytes;
  }
  if (Array.isArray(value)) return Promise.all(value.map(unpack));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await unpack(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
