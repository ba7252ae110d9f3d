"""Mutated files for every reader: what to start from, and what happened with one of them."""

from __future__ import annotations

import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from c3d_bytes import TinyC3d
from mutations import mutate

from motionloom import rotations as rot
from motionloom.errors import MotionloomError
from motionloom.io._gltf import write_glb
from motionloom.io.bvh import write_bvh
from motionloom.io.fbx import write_fbx
from motionloom.io.registry import FORMATS, Format
from motionloom.io.usd import write_usda
from motionloom.motion import Motion
from motionloom.skeleton import Skeleton

FILES = Path(__file__).parent / "files"
TRC = b"PathFileType\t4\t(X/Y/Z)\ttiny.trc\n" + (
    b"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    b"60\t60\t40\t2\tmm\t60\t1\t40\nFrame#\tTime\tHEAD\t\t\tLHEEL\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
) + b"".join(
    b"%d\t%.4f\t%d.5\t1700.25\t-12.125\t\t\t\n" % (i + 1, i / 60, i) if i % 7 == 3
    else b"%d\t%.4f\t%d.5\t1700.25\t-12.125\t10.5\t%d.75\t3e1\n" % (i + 1, i / 60, i, i)
    for i in range(40)
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Files of one format to damage.

    Parameters
    ----------
    format : Format
    seeds : tuple of dict of str to bytes
        Each a small set of files by name, of which one is damaged at a time; the first is the one
        to read.
    """

    format: Format
    seeds: tuple[dict[str, bytes], ...]

    def read(self, path: Path) -> object:
        """Read a file, in this process where the format's reader has one of its own."""
        from motionloom.io.scenes._reading import motion_of_scene

        if self.format.suffix == ".fbx":
            from motionloom.io.fbx._scene import extract

            return motion_of_scene(extract(str(path)), path, "fbx")
        if self.format.suffix.startswith(".usd"):
            from motionloom.io.usd import extract

            return motion_of_scene(extract(str(path)), path, "usd")
        return self.format.read(path)


def _small_motion() -> Motion:
    rng = np.random.default_rng(0)
    names = (
        "Hips",
        "Spine",
        "Head",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "RightUpLeg",
        "RightLeg",
        "RightFoot",
    )
    parents = [-1, 0, 1, 0, 3, 4, 0, 6, 7]
    skeleton = Skeleton(
        names, parents, rng.normal(size=(9, 3)) * 0.3, [2, 5, 8], rng.normal(size=(3, 3)) * 0.1
    )
    turns = rot.from_rotvec(np.cumsum(rng.normal(size=(40, 9, 3)) * 0.05, axis=0))
    return Motion(skeleton, turns, np.cumsum(rng.normal(size=(40, 1, 3)) * 0.02, axis=0), 1 / 30)


def _own_c3d() -> bytes:
    points = np.zeros((50, 3, 4))
    points[..., :3] = np.random.default_rng(0).normal(size=(50, 3, 3)) * 500
    names = {"POINT": {"LABELS": ["HEAD", "LHEEL", "RHEEL"]}}
    return bytes(TinyC3d(points, rate=120.0, parameters=names))


def _own_amass(path: Path) -> None:
    rng = np.random.default_rng(0)
    poses = np.cumsum(rng.normal(size=(30, 66)) * 0.1, axis=0)
    np.savez(path, poses=poses, trans=poses[:, :3], betas=poses[0, :16], mocap_framerate=60.0)


def _own_usd(motion: Motion, folder: Path) -> None:
    from pxr import Usd

    write_usda(motion.cut(0, 10), folder / "own.usda")
    stage = Usd.Stage.Open(str(folder / "own.usda"))
    for name in ("own.usdc", "own.usd"):  # without the name of the folder: damage is the same again
        stage.Export(str(folder / name), addSourceFileComment=False)


def make_cases(folder: Path, captures: Path | None = None) -> dict[str, Case]:
    """Cases by suffix; files are made in `folder`, and taken from the real `captures` where these
    exist.
    """
    motion = _small_motion()
    write_bvh(motion, folder / "own.bvh", unit=0.01)
    write_glb(motion, folder / "own.glb")
    write_fbx(motion, folder / "own.fbx")
    _own_usd(motion, folder)
    _own_amass(folder / "own.npz")
    (folder / "own.c3d").write_bytes(_own_c3d())
    made = (".bvh", ".glb", ".c3d", ".fbx", ".usda", ".usdc", ".usd", ".npz")
    own = {
        name: [{name: (folder / name).read_bytes()}] for name in (f"own{suffix}" for suffix in made)
    }
    seeds = {
        ".bvh": own["own.bvh"],
        ".amc": [{name: (FILES / name).read_bytes() for name in ("tiny_01.amc", "tiny.asf")}],
        ".glb": own["own.glb"],
        ".c3d": own["own.c3d"],
        ".fbx": own["own.fbx"],
        ".usda": own["own.usda"],
        ".usdc": own["own.usdc"],
        ".usd": own["own.usd"],
        ".npz": own["own.npz"],
        ".trc": [{"tiny.trc": TRC}],
    }
    real = {
        ".bvh": [
            ["odd/pybvh_bvh_example.bvh"],
            ["odd/bvh_toolbox_walk01.bvh"],
            ["odd/ganimator_idle1.bvh"],
        ],
        ".amc": [["cmu_asf_amc/16/16_15.amc", "cmu_asf_amc/16/16.asf"]],
        ".c3d": [["odd/Eb015pi.c3d"], ["odd/badParameterOffset.c3d"], ["odd/golfswing.c3d"]],
        ".trc": [["odd/Gait.trc"]],
    }
    for suffix, groups in real.items():
        for group in groups if captures else []:
            files = [captures / name for name in group] if captures else []
            if all(file.is_file() for file in files):
                seeds[suffix].append({file.name: file.read_bytes() for file in files})
    return {f.suffix: Case(f, tuple(seeds[f.suffix])) for f in FORMATS}


def try_mutant(case: Case, number: int, seed: int, folder: Path) -> str:
    """Read mutant `number`: ``"read"``, ``"refused"``, or what went wrong."""
    rng = np.random.default_rng([seed, number, *case.format.suffix.encode()])
    files = dict(case.seeds[int(rng.integers(len(case.seeds)))])
    damaged = list(files)[int(rng.integers(len(files)))]
    files[damaged] = mutate(files[damaged], rng)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "error", RuntimeWarning
            )  # NumPy's way to say that something overflowed
            case.read(folder / next(iter(files)))
    except MotionloomError as error:
        return "refused" if "\n" not in str(error) else f"an error of several lines: {error}"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} at {Path(place.filename).name}:{place.lineno}"
    finally:
        for name in files:
            (folder / name).unlink()
    return "read"
