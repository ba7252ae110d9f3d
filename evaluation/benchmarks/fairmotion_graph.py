"""Build fairmotion's motion graph and print the seconds as JSON; runs in an environment of its own.

fairmotion 0.0.4 pins PyTorch 1.4, which its motion graph does not use; this is enough:
``pip install numpy scipy networkx tqdm matplotlib && pip install --no-deps fairmotion==0.0.4``.
`graph_build.py` calls it: ``python fairmotion_graph.py FOLDER CLIPS STRIDE`` takes the first CLIPS
files of FOLDER and a window every STRIDE seconds.
"""

import argparse
import json
import logging
import resource
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import numpy as np


def cpu_seconds() -> float:
    """CPU time of this process and of the worker that fairmotion starts."""
    usage = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in usage)


def build(files: list[str], stride: float) -> dict:
    from fairmotion.core import motion, velocity
    from fairmotion.data import bvh
    from fairmotion.tasks.motion_graph.motion_graph import MotionGraph

    # 0.0.4 spells one attribute in two ways, so that building a graph stops at once.
    motion.Joint.child_joint = property(lambda joint: joint.child_joints)
    began = perf_counter()
    # fairmotion takes the axes of a skeleton as arguments; the clips are Y up and the bodies face
    # +Z.
    axes = {"v_up_skel": np.array([0.0, 1.0, 0.0]), "v_face_skel": np.array([0.0, 0.0, 1.0])}
    motions = [bvh.load(f, scale=0.01, v_up_env=np.array([0.0, 1.0, 0.0]), **axes) for f in files]
    motions = [velocity.MotionWithVelocity.from_motion(m) for m in motions]
    read = perf_counter() - began
    graph = MotionGraph(
        motions, files, motions[0].skel, fps=30, base_length=1.5, stride_length=stride
    )
    began, cpu = perf_counter(), cpu_seconds()
    graph.construct(num_workers=1)
    return {
        "version": version("fairmotion"),
        "clips": len(files),
        "frames": sum(m.num_frames() for m in motions),
        "joints": motions[0].skel.num_joints(),
        "stride_s": stride,
        "nodes": graph.graph.number_of_nodes(),
        "edges": graph.graph.number_of_edges(),
        "read_s": read,
        "build_s": perf_counter() - began,
        "build_cpu_s": cpu_seconds() - cpu,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("clips", type=int)
    parser.add_argument("stride", type=float)
    options = parser.parse_args()
    logging.disable(logging.INFO)
    files = [str(f) for f in sorted(options.folder.glob("*.bvh"))[: options.clips]]
    print(json.dumps(build(files, options.stride)))


if __name__ == "__main__":
    main()
