"""Models that tests of robots share."""

from pathlib import Path

from motionloom.robots._frames import fit_robot_frames
from motionloom.robots._reading import read_robot
from motionloom.robots._robot import EXAMPLE

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


def mesh_head(file, name="m"):
    return f'<asset><mesh name="{name}" file="{file}"/></asset>'


def box_obj(half):
    """A box of half sizes `half` as an OBJ file."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    text = "".join(f"v {half * x} {half * y} {half * z}\n" for x, y, z in corners)
    faces = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")
    return (text + "".join(f"f {face}\n" for face in faces)).encode()


def humanoid_frames():
    return fit_robot_frames(read_robot(HUMANOID))


#: An arm drawn aside whose joint named elbow twists it, and whose last hinge bends it; its forearm
#: is shown by geoms, by its mass, or not at all.
TWIST_ARM = """<body name="{side}_a" pos="0 {y} 0.4">
<joint name="{side}_shoulder_pitch" axis="0 1 0" range="-190 70"/>
<body pos="0 {s}0.05 0"><joint name="{side}_shoulder_roll" axis="1 0 0" range="-100 100"/>
<body pos="0 {s}0.06 0"><joint name="{side}_elbow_pitch" axis="0 1 0" range="-130 130"/>
<body pos="0 {s}0.15 0"><joint name="{side}_elbow_yaw" axis="0 0 1" range="{bend}"/>
{forearm}</body></body></body></body>"""
FOREARMS = {
    "shape": '<geom type="capsule" fromto="0 0 0 0 {s}0.2 0" size="0.02"/>',
    "mass": '<inertial pos="0 {s}0.1 0" mass="0.4" diaginertia="1 1 1"/>',
    "nothing": "",
}


def twisting_arms(forearm="shape"):
    """Both arms of a robot whose elbows are named after the hinges that twist them."""
    arms = []
    for side, sign, bend in (("left", "", "-140 0"), ("right", "-", "0 140")):
        below = FOREARMS[forearm].format(s=sign)
        arms.append(TWIST_ARM.format(side=side, y=f"{sign}0.15", s=sign, bend=bend, forearm=below))
    return "".join(arms)
