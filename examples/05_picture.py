"""The picture at the top of the README: poses of a motion where they are in the world, up to the
reach.
"""

from matplotlib.figure import Figure

import motionloom as ml
from motionloom.constraints import ConstraintSet, read_constraints
from motionloom.view.figure import build_figure
from motionloom.view.poses import draw_scene


def draw_picture(motion_file: str, constraint_file: str, picture: str) -> None:
    """Draw a motion up to its last joint target."""
    wish: ConstraintSet = read_constraints(constraint_file)
    motion = ml.load(motion_file)
    shown = motion.cut(0, wish.frame_of(max(target.time for target in wish.joints)) + 1)
    canvas = Figure(figsize=(10, 4.2), dpi=90)
    axes = canvas.add_axes((0, 0, 1, 1))
    draw_scene(axes, build_figure(shown), wish)
    axes.set_title("", loc="left")
    for text in axes.texts:
        text.set_text("")
    canvas.savefig(picture)


if __name__ == "__main__":
    # In a folder in which `motionloom demo -o demo` has been run.
    draw_picture("demo/motion.bvh", "demo/constraints.yaml", "demo.png")
