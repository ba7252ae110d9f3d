/** Where bodies are, as far as their motions are known. */

import type { Point3 } from "../model";
import type { Stage } from "../scene";
import { traceJoints } from "../kinematics";
import type { Track } from "../track";

export interface Bodies {
  /** Where joints, by their roles, are on a frame, metres; null where one of them is not known. */
  joints: (who: string, roles: readonly string[], frame: number) => Point3[] | null;
  /** Over which places on the ground it goes, metres. */
  way: (who: string) => [number, number][];
}

export const NOBODY: Bodies = { joints: () => null, way: () => [] };

/** Frames between two places of a way. */
const STEP = 10;

export function bodiesOf(stage: Stage): Bodies {
  return {
    joints: (who, roles, frame) => {
      const figure = stage.figures.get(who);
      const indices = roles.map((role) => figure?.character.roles[role]);
      if (!figure?.track || indices.some((one) => one === undefined)) return null;
      const still = frameOf(figure.track, frame);
      return points(traceJoints(figure.character, still, indices as number[]));
    },
    way: (who) => {
      const root = stage.figures.get(who)?.track?.root ?? new Float32Array();
      const way: [number, number][] = [];
      for (let i = 0; i < root.length; i += 3 * STEP) way.push([root[i] ?? 0, root[i + 2] ?? 0]);
      return way;
    },
  };
}

/** A motion of one frame. */
function frameOf(track: Track, frame: number): Track {
  const part = track.asPart();
  const at = Math.min(Math.max(Math.round(frame), 0), track.total - 1);
  const [wide, moved] = [track.nJoints * 4, track.moved.length * 3];
  const still = track.clone();
  still.splice({
    ...part,
    ...{ total: 1, first: 0, n: 1, contacts: {} },
    quats: part.quats.slice(at * wide, (at + 1) * wide),
    root: part.root.slice(at * 3, at * 3 + 3),
    moves: part.moves?.slice(at * moved, (at + 1) * moved),
  });
  return still;
}

function points(values: Float32Array): Point3[] {
  const found: Point3[] = [];
  for (let i = 0; i < values.length; i += 3) {
    found.push([values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0]);
  }
  return found;
}
