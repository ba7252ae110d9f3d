/** Bone matrices for the skin, straight from forward kinematics. */
import { Bone, Skeleton } from "three";
import type { WorldPose } from "../kinematics";
import type { Skin } from "../model";

/** Turns and moves the skin from its rest pose to a world pose. */
export class PoseSkeleton extends Skeleton {
  private dirty = true;

  constructor(
    private readonly skin: Skin,
    private readonly world: WorldPose,
  ) {
    super(Array.from({ length: skin.positions.length / 3 }, () => new Bone()));
    this.computeBoneTexture();
  }

  /** The pose has other numbers now. */
  changed(): void {
    this.dirty = true;
  }

  override update(): void {
    if (!this.dirty) return;
    this.dirty = false;
    const count = this.skin.positions.length / 3;
    for (let joint = 0; joint < count; joint++) this.write(joint);
    if (this.boneTexture) this.boneTexture.needsUpdate = true;
  }

  /** Rotation r = q * conj(q_rest), translation p - r * p_rest, as a matrix by columns. */
  private write(joint: number): void {
    const { rotations: q, positions: p } = this.world;
    const { rotations: b, positions: o } = this.skin;
    const i = joint * 4;
    const [aw, ax, ay, az] = [q[i], q[i + 1], q[i + 2], q[i + 3]] as [number, number, number, number];
    const [bw, bx, by, bz] = [b[i], b[i + 1], b[i + 2], b[i + 3]] as [number, number, number, number];
    const w = aw * bw + ax * bx + ay * by + az * bz;
    const x = -aw * bx + ax * bw - ay * bz + az * by;
    const y = -aw * by + ax * bz + ay * bw - az * bx;
    const z = -aw * bz - ax * by + ay * bx + az * bw;
    const m = this.boneMatrices as Float32Array;
    const at = joint * 16;
    m[at] = 1 - 2 * (y * y + z * z);
    m[at + 1] = 2 * (x * y + w * z);
    m[at + 2] = 2 * (x * z - w * y);
    m[at + 4] = 2 * (x * y - w * z);
    m[at + 5] = 1 - 2 * (x * x + z * z);
    m[at + 6] = 2 * (y * z + w * x);
    m[at + 8] = 2 * (x * z + w * y);
    m[at + 9] = 2 * (y * z - w * x);
    m[at + 10] = 1 - 2 * (x * x + y * y);
    m[at + 15] = 1;
    const k = joint * 3;
    const [ox, oy, oz] = [o[k], o[k + 1], o[k + 2]] as [number, number, number];
    for (let row = 0; row < 3; row++) {
      const turned =
        (m[at + row] as number) * ox + (m[at + 4 + row] as number) * oy + (m[at + 8 + row] as number) * oz;
      m[at + 12 + row] = (p[k + row] as number) - turned;
    }
  }
}
