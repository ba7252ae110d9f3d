"""Makes the pictures of the documents from the built-in performer, the page that lists them, and
the excerpts of the demo's report in README and tutorials.

    python docs/build_gallery.py            makes every picture, docs/gallery.md and the excerpts
    python docs/build_gallery.py --check    exits with 1 when one is not as it would be made now
    python docs/build_gallery.py pose pair  makes these pictures alone

Every picture comes from a command or a call that its entry in `FIGURES` tells; no captures are
needed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

# One thread, as the tests have: sums in another order round otherwise, and a search may then find
# another motion.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import excerpts
import numpy as np

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
PAGE = DOCS / "gallery.md"
#: Mean difference of two pictures' pixels (of the range from black to white) up to which they are
#: the same: other versions of the fonts smooth letters in other ways.
TOLERANCE = 0.004

REACH = """\
body:
- {position: [0.5, 1.0], facing: 30}
joints:
- {joint: right_hand, position: [0.53, 1.25, 1.45]}
- {joint: head, look_at: [1.9, 1.5, 4.0]}
- {joint: left_foot, position: [0.66, 0.1, 1.08]}
"""


@dataclass(frozen=True)
class Figure:
    """A picture.

    Parameters
    ----------
    name : str
        Of the file, without suffix.
    made_by : str
        The command, or the call, that makes it.
    sentence : str
        What it shows.
    make : callable
        Makes it in the working folder, in which ``demo/clips`` are the performer's clips, and
        returns where it is.
    slow : bool
        Whether that takes more than some seconds.
    """

    name: str
    made_by: str
    sentence: str
    make: Callable[[], Path]
    slow: bool = False


@dataclass(frozen=True)
class Screenshot:
    """A picture of a page: its file's name without suffix, what opened the page, what it shows."""

    name: str
    made_by: str
    sentence: str


def run(command: str) -> None:
    """Run a command of motionloom in this process."""
    from motionloom.cli.main import main

    words = command.split()
    assert words[0] == "motionloom", command
    with redirect_stdout(StringIO()):
        code = main(words[1:])
    if code:
        raise SystemExit(f"{command}: exit code {code}")


def by_command(command: str, place: str, wish: str = "") -> Callable[[], Path]:
    """Make a picture by a command that writes it to `place`; `wish` is its constraint file."""

    def make() -> Path:
        if wish:
            Path("reach.yaml").write_text(wish)
        run(command)
        return Path(place).resolve()

    return make


def make_demo() -> Path:
    """The upper part of the demo's contact sheet."""
    Path("fresh").mkdir()
    os.chdir("fresh")
    run(_DEMO)
    return shrink(Path("demo/motion.png"), (73, 88, 1870, 596), 1100)


def make_sheet() -> Path:
    """A contact sheet, smaller."""
    run(_SHEET)
    return shrink(Path("sheet.png"), (0, 0, 1870, 1485), 1100)


def make_stairs() -> Path:
    """The upper part of the contact sheet of a walk up stairs."""
    Path("stairs.yaml").write_text(
        "ground:\n- {shape: stairs, start: [0.0, 1.5], rise: 0.17, tread: 0.3, steps: 3}\n"
    )
    run(_STAIRS)
    return shrink(Path("climbed.png"), (73, 110, 1870, 860), 1100)


def for_tool(command: str, made: str) -> Callable[[], Path]:
    """Make the upper part of the contact sheet of a file that was converted for a program."""

    def make() -> Path:
        run(command)
        run(f"motionloom view {made} -o {made}.png")
        return shrink(Path(f"{made}.png"), (0, 0, 1870, 596), 900)

    return make


def make_angles() -> Path:
    """Joint angles of a walk as they stand in a MOT file."""
    from matplotlib.figure import Figure as Canvas

    from motionloom_evaluation.markers.mot import read_mot

    run(_OPENSIM)
    table = read_mot("walk.mot")
    canvas = Canvas(figsize=(9, 3), layout="constrained")
    axes = canvas.subplots()
    for name in ("hip_flexion_r", "knee_angle_r", "ankle_angle_r"):
        axes.plot(table.times, table.columns[name], label=name)
    axes.set_xlabel("time, s")
    axes.set_ylabel("degrees")
    axes.legend(loc="upper right", ncols=3)
    axes.margins(x=0, y=0.15)
    canvas.savefig("angles.png", dpi=100)
    return Path("angles.png").resolve()


def make_retarget() -> Path:
    """Source and result side by side, smaller."""
    run(_RETARGET)
    return shrink(Path("small.png"), (0, 0, 1870, 1320), 1040)


def make_graph() -> Path:
    """The graph's overview, smaller."""
    run(_GRAPH)
    return shrink(Path("graph.png"), (0, 0, 1600, 960), 1040)


def make_model() -> Path:
    """A motion model's overview, smaller."""
    Path("keys.yaml").write_text("find: {kind: hold, joint: right_hand}\n")
    run("motionloom model fit demo/clips/reach_right_*.bvh --keys keys.yaml -o reaches.npz")
    run(_MODEL)
    return shrink(Path("reaches.png"), (0, 0, 1500, 900), 1040)


def shrink(picture: Path, box: tuple[int, int, int, int], width: int) -> Path:
    """Cut a part out of a picture, bring it to a width, and keep it with few colours."""
    from PIL import Image

    left, top, right, bottom = box
    height = round((bottom - top) * width / (right - left))
    with Image.open(picture) as image:
        part = image.convert("RGB").resize((width, height), Image.Resampling.LANCZOS, box)
        part.quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)
    return picture.resolve()


def make_pair() -> Path:
    """Costs between two clips."""
    from motionloom.clips import make_clip_set
    from motionloom.graph import build_graph
    from motionloom.graph.overview.pair_picture import write_pair_picture
    from motionloom.io import load_motion

    names = ("walk_1.1", "turn_left_90")
    clips = make_clip_set([load_motion(f"demo/clips/{name}.bvh") for name in names])
    write_pair_picture(build_graph(clips), *names, "pair.png", dpi=90)
    return Path("pair.png").resolve()


def make_compare() -> Path:
    """Four woven motions beside the clips."""
    Path("compared").mkdir()
    os.chdir("compared")
    run(_DEMO)
    for seed in range(1, 5):
        run(
            "motionloom synthesize demo/clips -c demo/constraints.yaml"
            f" --seed {seed} -o woven/{seed}.bvh --report woven/{seed}.json"
        )
    run(_COMPARE)
    return shrink(Path("compare.png"), (0, 0, *_size_of("compare.png")), 1040)


def _size_of(picture: str) -> tuple[int, int]:
    from PIL import Image

    with Image.open(picture) as image:
        return image.size


_DEMO = "motionloom demo -o demo"
_COMPARE = "motionloom compare woven --with demo/clips --sources -o compare.png"
_GRAPH = "motionloom graph report demo/clips --png graph.png"
_MODEL = "motionloom model info reaches.npz --png reaches.png"
_POSE = "motionloom pose demo/clips --constraints reach.yaml -o reach.bvh --png reach.png"
_BLENDER = "motionloom convert demo/clips/curve_left.bvh curve.fbx --for blender"
_UNREAL = "motionloom convert demo/clips/walk_1.1.bvh walk.fbx --for unreal --root root"
_UNITY = "motionloom convert demo/clips/walk_reach.bvh reach.fbx --for unity"
_MAYA = "motionloom convert demo/clips/run_3.bvh run.usda --for maya"
_OPENSIM = "motionloom convert demo/clips/walk_1.1.bvh walk.mot --for opensim"
_SHEET = "motionloom view demo/clips/turn_left_90.bvh -o sheet.png"
_STAIRS = (
    "motionloom physics correct demo/clips/walk_1.1.bvh -o climbed.bvh --ground stairs.yaml"
    " --png climbed.png"
)
_RETARGET = (
    "motionloom retarget demo/clips/turn_left_90.bvh --to performer:1.45 -o small.bvh"
    " --png small.png"
)
_CURVES = (
    "motionloom naturalness demo/clips/walk_1.1.bvh demo/clips/reach_right_low.bvh"
    " --reference demo/clips --png curves.png"
)

#: In the order of the page.
FIGURES = (
    Figure(
        "demo",
        _DEMO,
        "A motion woven from the performer's clips: a curve, a stop and a reach, with what was"
        " asked for.",
        make_demo,
        slow=True,
    ),
    Figure(
        "sheet",
        _SHEET,
        "The contact sheet of one clip: in the world, from above with foot prints, and over time.",
        make_sheet,
    ),
    Figure(
        "pose",
        _POSE,
        "One pose that meets targets for a hand, a foot and the gaze, from three sides; where it"
        " began is grey.",
        by_command(_POSE, "reach.png", REACH),
    ),
    Figure(
        "model",
        _MODEL,
        "A motion model of five reaches: how many eigen-motions hold how much, the strongest, and"
        " where the hand comes to.",
        make_model,
    ),
    Figure(
        "stairs",
        _STAIRS,
        "A walk of the performer, captured on a floor, taken up three steps: its footholds lie on"
        " the treads.",
        make_stairs,
    ),
    Figure(
        "naturalness",
        _CURVES,
        "How like captured ones poses and motion of two clips are over time, each judged by models"
        " that have not seen it.",
        by_command(_CURVES, "curves.png"),
    ),
    Figure(
        "for-blender",
        _BLENDER,
        "A curve as Blender gets it: the FBX file, read back.",
        for_tool(_BLENDER, "curve.fbx"),
    ),
    Figure(
        "for-unreal",
        _UNREAL,
        "A walk as Unreal gets it, with a root joint on the ground below the hips.",
        for_tool(_UNREAL, "walk.fbx"),
    ),
    Figure(
        "for-unity",
        _UNITY,
        "A walk to a reach as Unity gets it: the FBX file, read back.",
        for_tool(_UNITY, "reach.fbx"),
    ),
    Figure(
        "for-maya",
        _MAYA,
        "A run as Maya gets it: the USD file, read back.",
        for_tool(_MAYA, "run.usda"),
    ),
    Figure(
        "for-opensim",
        _OPENSIM,
        "Hip, knee and ankle of the right leg while walking, from the MOT file.",
        make_angles,
    ),
    Figure(
        "retarget",
        _RETARGET,
        "A turn of the performer of 1.75 m, and the same on one of 1.45 m: poses of both from two"
        " sides, and their feet.",
        make_retarget,
    ),
    Figure(
        "compare",
        _COMPARE,
        "Whether four motions woven from the performer's clips can be told from the clips, by part"
        " of the body, and figures of both side by side.",
        make_compare,
        slow=True,
    ),
    Figure(
        "graph",
        _GRAPH,
        "What the performer's clips can do together: transitions from clip to clip, speeds and"
        " turns, and what nobody does.",
        make_graph,
        slow=True,
    ),
    Figure(
        "pair",
        'write_pair_picture(graph, "walk_1.1", "turn_left_90", "pair.png")',
        "Costs between the frames of two clips, their transitions by tree, and the one that stands"
        " for each tree.",
        make_pair,
    ),
)

#: Pages seen in a browser: taken by hand, since no two graphics cards draw one alike.
SCREENSHOTS = (
    Screenshot(
        "studio",
        "motionloom studio",
        "The studio: a character on her way to a ring on the ground, over a timeline of what she"
        " does.",
    ),
)


@contextmanager
def studio() -> Iterator[None]:
    """A temporary working folder with the performer's clips."""
    from motionloom.io import save
    from motionloom.performer import performer_clips

    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        clips = Path(folder) / "demo" / "clips"
        clips.mkdir(parents=True)
        for clip in performer_clips():
            save(clip.motion, clips / f"{clip.motion.name}.bvh")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def demo_report() -> str:
    """The report of the demo, as `motionloom demo -o demo` writes it."""
    with studio():
        Path("fresh").mkdir()
        os.chdir("fresh")
        run(_DEMO)
        return Path("demo/report.txt").read_text()


def filled_pages(report: str) -> dict[Path, str]:
    """Pages that quote the demo's report, with the figures of this report."""
    return {path: excerpts.filled_page(path.read_text(), report) for path in excerpts.PAGES}


def difference(one: Path, other: Path) -> float:
    """Mean difference of two pictures' pixels, 0 to 1; 1 where they differ in size."""
    from matplotlib.image import imread

    a, b = (np.asarray(imread(path), float)[..., :3] for path in (one, other))
    return float(np.abs(a - b).mean()) if a.shape == b.shape else 1.0


def page() -> str:
    """The page that lists the pictures."""
    lines = [
        "# Gallery",
        "",
        "Every picture of these documents, and what makes it in a folder in which"
        " `motionloom demo -o demo` has been run.",
        "`python docs/build_gallery.py` makes all but screenshots again; the tests fail when one is"
        " not what this version draws.",
    ]
    for entry in (*FIGURES, *SCREENSHOTS):
        lines += [
            "",
            f"## {entry.name}",
            "",
            entry.sentence,
            "",
            f"`{entry.made_by}`",
            "",
            f"![{entry.sentence}](images/{entry.name}.png)",
        ]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Make or check pictures and excerpts; the exit code."""
    check = "--check" in arguments
    wanted = [name for name in arguments if name != "--check"]
    unknown = set(wanted) - {figure.name for figure in FIGURES}
    if unknown:
        print(f"unknown picture {min(unknown)!r}; there are {', '.join(f.name for f in FIGURES)}")
        return 2
    figures = [figure for figure in FIGURES if not wanted or figure.name in wanted]
    stale = [figure.name for figure in figures if _picture_is_stale(figure, write=not check)]
    pages = {PAGE: page()} if wanted else {PAGE: page(), **filled_pages(demo_report())}
    stale += [path.name for path, text in pages.items() if _text_is_stale(path, text, not check)]
    if not check:
        return 0
    for name in stale:
        print(f"{name} is stale; run python docs/build_gallery.py")
    return 1 if stale else 0


def _picture_is_stale(figure: Figure, write: bool) -> bool:
    """Whether a picture is not as it is drawn now; `write` brings it up to date."""
    target = IMAGES / f"{figure.name}.png"
    with studio():
        made = figure.make()
        apart = difference(made, target) if target.exists() else 1.0
        stale = apart > TOLERANCE
        if stale and write:
            target.write_bytes(made.read_bytes())
    print(f"{figure.name}: {'differs' if stale else 'the same'} ({apart:.4f})")
    return stale


def _text_is_stale(path: Path, text: str, write: bool) -> bool:
    """Whether a file does not hold this text; `write` brings it up to date."""
    stale = not path.exists() or path.read_text() != text
    if stale and write:
        path.write_text(text)
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
