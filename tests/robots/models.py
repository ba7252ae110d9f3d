"""Models that tests of robots share."""

from pathlib import Path

from motionloom.robots.example import EXAMPLE
from motionloom.robots.frames import fit_robot_frames
from motionloom.robots.mjcf import read_mjcf

FILES = Path(__file__).parent / "files"
#: Legs of six hinges, waist of three, arms of seven.
HUMANOID = Path(__file__).parents[2] / "src/motionloom/robots" / EXAMPLE
#: Several hinges in a body, its base is the torso, all ways to tell orientations, an include.
CAPSULES = FILES / "capsules23.xml"
MODELS = (HUMANOID, CAPSULES)

#: A body that can stand, for what is wrong with a model.
LEG = """<body name="{side}_thigh" pos="0 {y} -0.1"><joint name="{side}_hip" axis="0 1 0"/>
<body name="{side}_shin" pos="0 0 -0.4"><joint name="{side}_knee" axis="0 1 0" range="0 150"/>
<body name="{side}_foot" pos="0 0 -0.4"><joint name="{side}_ankle" axis="0 1 0"/>
</body></body></body>"""


def write_model(folder, body="", base="<freejoint/>", head="", root="mujoco"):
    """A model of two legs with more in its base."""
    legs = LEG.format(side="left", y=0.1) + LEG.format(side="right", y=-0.1)
    path = folder / "robot.xml"
    path.write_text(
        f'<{root} model="m">\n{head}\n<worldbody>\n<body name="pelvis" pos="0 0 1">\n{base}\n'
        f"{legs}\n{body}\n</body>\n</worldbody>\n</{root}>\n"
    )
    return path


def humanoid_frames():
    return fit_robot_frames(read_mjcf(HUMANOID))
