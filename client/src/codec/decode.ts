/** From plain maps with bytes, as msgpack or the page hold them, to typed arrays. */
import type { Character, Cloud, MotionPart, Origin, Quality, Skin } from "../model";

export type Raw = Record<string, unknown>;

/** A copy of bytes as numbers: what came in need not lie on their boundaries. */
function aligned(bytes: unknown): ArrayBuffer {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes are missing from a message");
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}

export const floats = (bytes: unknown): Float32Array => new Float32Array(aligned(bytes));
export const shorts = (bytes: unknown): Int16Array => new Int16Array(aligned(bytes));
export const bytesOf = (bytes: unknown): Uint8Array => new Uint8Array(aligned(bytes));

function decodeSkin(raw: Raw): Skin {
  return {
    vertices: floats(raw.vertices),
    faces: new Uint32Array(aligned(raw.faces)),
    joints: new Uint16Array(aligned(raw.joints)),
    weights: floats(raw.weights),
    positions: floats(raw.positions),
    rotations: floats(raw.rotations),
  };
}

export function decodeCharacter(raw: Raw): Character {
  return {
    id: raw.id as string,
    name: raw.name as string,
    color: raw.color as string,
    tints: raw.tints as [string, string, string] | undefined,
    names: raw.names as string[],
    parents: raw.parents as number[],
    offsets: floats(raw.offsets),
    roles: raw.roles as Record<string, number>,
    sides: new Int8Array(aligned(raw.sides)),
    skin: raw.skin ? decodeSkin(raw.skin as Raw) : null,
    shift: raw.shift as [number, number, number] | undefined,
  };
}

export function decodeMotion(raw: Raw): MotionPart {
  const contacts = Object.entries((raw.contacts ?? {}) as Raw);
  return {
    who: raw.who as string,
    fps: raw.fps as number,
    total: raw.total as number,
    first: raw.first as number,
    n: raw.n as number,
    quats: shorts(raw.quats),
    root: floats(raw.root),
    moved: raw.moved as number[] | undefined,
    moves: raw.moves === undefined ? undefined : floats(raw.moves),
    contacts: Object.fromEntries(contacts.map(([foot, down]) => [foot, bytesOf(down)])),
    quality: (raw.quality ?? "final") as Quality,
    rev: (raw.rev ?? 0) as number,
    ...(raw.origin === undefined ? {} : { origin: raw.origin as Origin }),
  };
}

export function decodeCloud(raw: Raw): Cloud {
  return {
    id: raw.id as string,
    who: (raw.who ?? null) as string | null,
    name: String(raw.name ?? ""),
    labels: raw.labels as string[],
    fps: raw.fps as number,
    n: raw.n as number,
    points: floats(raw.points),
    steps: bytesOf(raw.steps),
    ramp: raw.ramp as string[],
    radius: raw.radius as number,
    shift: raw.shift as [number, number, number] | undefined,
  };
}
