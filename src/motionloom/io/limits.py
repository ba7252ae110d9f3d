"""How large what is read may be, and why; larger is damage or no capture, and is refused.

Within them reading takes time and memory in proportion to the length of the file. What is mended in
a file is noted, and of that there is a limit, too.
"""

from __future__ import annotations

from motionloom.errors import FormatError
from motionloom.typing import PathName

#: Bodies are made larger or smaller by this factor at most.
MOST_SCALE = 1e6
#: Bytes of any file: two hours of 100 joints at 120 frames per second are less, as text.
MOST_BYTES = 2**30
#: Joints and end sites of a skeleton; the most detailed rigs, with fingers and face, have some
#: hundreds.
MOST_JOINTS = 10_000
#: Characters in the name of a joint; a name is part of further names, messages and tables.
MOST_NAME = 1000
#: Words of an ASF file: 50 for each bone.
MOST_ASF_WORDS = 50 * MOST_JOINTS
#: Words behind one keyword of a skeleton file, of which three numbers or six channels make sense.
MOST_WORDS = 100
#: Frames of a file; two hours at 120 per second are 864,000.
MOST_FRAMES = 1_000_000
#: Joints times frames that any file may become, however small it is: an hour of 18 joints at 30
#: frames per second.
MOST_POSES = 2_000_000
#: Bytes of file for each joint in each frame beyond that. Text has two for a number and its blank
#: at least, mostly 15; what becomes more than the file holds (tracks that several joints share,
#: joints without channels) ends here.
POSE_BYTES = 5
#: Nodes of a glTF file, of which its joints are some; scenes with all their furniture have some
#: thousands.
MOST_NODES = 100_000
#: Nodes above a skeleton's root, which are folded into it; exporters put one or two there.
MOST_ABOVE = 1000
#: Lists of key times in an animation; most files have one, some one for each channel of each joint.
MOST_TIMINGS = 5000
#: Bytes of keys read for each byte of a glTF file: tracks share keys, and a few may overlap.
MOST_KEY_BYTES = 4
#: Mistakes mended in one file; with more, what is left is no capture any longer.
MOST_MENDED = 10_000
#: Markers of a TRC file and points of a C3D file; whole stages have some hundreds.
MOST_MARKERS = 10_000
#: Parameters of a C3D file, and their bytes: 16 times what its own count of blocks can say.
MOST_PARAMETERS, MOST_PARAMETER_BYTES = 10_000, 16 * 255 * 512
#: Bytes of one parameter, which the step to the next one tells in 16 bits, and of its texts.
MOST_PARAMETER = 0xFFFF
#: Characters of a constraint file, a table of roles or labels: some 20,000 constraints.
MOST_CHARACTERS = 2_000_000
#: Values in such a file, lists and mappings among them: ten for each constraint. Longer tables of
#: heights go to a file.
MOST_VALUES = 200_000
#: Mappings in such a file, each a constraint or a row: five in each second of an hour.
MOST_ENTRIES = 20_000
#: Different labels of a labels file, each a byte for every frame; the largest collections have 250
#: or so.
MOST_LABELS = 300
#: Rows of a labels file with a pattern, which is compared with the name of every clip; other rows
#: are looked up.
MOST_PATTERNS = 1000
#: Brackets inside each other in such a file; constraints need 4.
MOST_DEPTH = 16
#: Heights of one height map: 250 m square with a height every 25 cm.
MOST_HEIGHTS = 1_000_000
#: Bytes of a file of heights, 32 for each number.
MOST_HEIGHT_BYTES = 32 * MOST_HEIGHTS


def check_joints(count: int, path: PathName, line: int | None = None) -> None:
    """Refuse a skeleton with more than `MOST_JOINTS` joints.

    Parameters
    ----------
    count : int
        Joints found so far.
    path : path-like
        The file, for the message.
    line : int, optional
        Line of the file, counted from 1, for the message.

    Raises
    ------
    FormatError
        When there are more.
    """
    if count > MOST_JOINTS:
        raise FormatError(f"more than {MOST_JOINTS} joints; no body has that many", path, line)


def check_nodes(count: int, path: PathName) -> None:
    """Refuse a glTF file with more than `MOST_NODES` nodes.

    Parameters
    ----------
    count : int
        Nodes of the file.
    path : path-like
        The file, for the message.

    Raises
    ------
    FormatError
        When there are more.
    """
    if count > MOST_NODES:
        message = f"has {count} nodes, more than {MOST_NODES}; export the skeleton alone"
        raise FormatError(message, path)


def check_name(name: str, path: PathName, line: int | None = None) -> None:
    """Refuse a joint's name of more than `MOST_NAME` characters.

    Parameters
    ----------
    name : str
        Of the joint.
    path : path-like
        The file, for the message.
    line : int, optional
        Line of the file, counted from 1, for the message.

    Raises
    ------
    FormatError
        When it is longer.
    """
    if len(name) > MOST_NAME:
        message = f"a joint's name has {len(name)} characters ({name[:20]!r} ...); expected at most"
        raise FormatError(f"{message} {MOST_NAME}", path, line)


def check_frames(frames: int, path: PathName) -> None:
    """Refuse more than `MOST_FRAMES` frames.

    Parameters
    ----------
    frames : int
        What the file holds.
    path : path-like
        The file, for the message.

    Raises
    ------
    FormatError
        When there are more.
    """
    if frames > MOST_FRAMES:
        message = f"{frames} frames, more than {MOST_FRAMES}; cut it into shorter ones"
        raise FormatError(message, path)


def check_poses(frames: int, joints: int, size: int, path: PathName, what: str = "joints") -> None:
    """Refuse what would become far more than the file holds, before any work is done.

    Parameters
    ----------
    frames, joints : int
        What the file would become.
    size : int
        Bytes of the file.
    path : path-like
        The file, for the message.
    what : str, optional
        What has a place in each frame.

    Raises
    ------
    FormatError
        When there are more than `MOST_FRAMES` frames, or than `MOST_POSES` poses of one joint and
        one for each `POSE_BYTES` bytes.
    """
    check_frames(frames, path)
    most = MOST_POSES + size // POSE_BYTES
    if frames * joints > most:
        raise FormatError(
            f"{frames} frames of {joints} {what} are {frames * joints} in all, and {size} bytes may"
            f" become {most} ({MOST_POSES} and one for each {POSE_BYTES} bytes); cut it into"
            " shorter ones",
            path,
        )


class Notes:
    """Collects the warnings of one file.

    Parameters
    ----------
    path : path-like
        The file.
    strict : bool
        Whether `mended` raises instead of noting. Guesses (unit, up axis) break no rule of a format
        and never raise.
    """

    def __init__(self, path: PathName, strict: bool = False) -> None:
        self.path = path
        self.strict = strict
        self._texts: list[str] = []
        self._mended = 0

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything noted so far."""
        return tuple(self._texts)

    def mended(self, message: str, line: int | None = None) -> None:
        """Note that the file breaks its format and how that was read.

        Parameters
        ----------
        message : str
            What is wrong and how it was read.
        line : int, optional
            Line of the file, counted from 1.

        Raises
        ------
        FormatError
            In strict mode, or for one mistake too many.

        Examples
        --------
        >>> notes = Notes("walk.bvh")
        >>> notes.mended("a joint without a name is called joint_3", line=12)
        >>> notes.texts
        ('line 12: a joint without a name is called joint_3',)
        """
        if self.strict:
            raise FormatError(f"{message} (refused because strict)", self.path, line)
        self._mended += 1
        if self._mended > MOST_MENDED:
            told = f"more than {MOST_MENDED} mistakes, here: {message[:200]}; the file is damaged,"
            raise FormatError(f"{told} export it again", self.path, line)
        self._texts.append(message if line is None else f"line {line}: {message}")

    def guessed(self, message: str) -> None:
        """Note a guess about something the format does not say.

        Examples
        --------
        >>> notes = Notes("walk.bvh")
        >>> notes.guessed("1 unit is taken as 1 cm")
        >>> notes.texts
        ('1 unit is taken as 1 cm',)
        """
        self._texts.append(message)

    def error(self, message: str, line: int | None = None) -> FormatError:
        """Error about the file, to be raised.

        Parameters
        ----------
        message : str
            What is wrong and what to do.
        line : int, optional
            Line of the file, counted from 1.

        Returns
        -------
        FormatError
            Names the file and the line.

        Examples
        --------
        >>> print(Notes("walk.bvh").error("expected a number", line=4))
        walk.bvh:4: expected a number
        """
        return FormatError(message, self.path, line)
