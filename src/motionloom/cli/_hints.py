"""What errors of the library hint at, in words of the command line."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.errors import Hint, MotionloomError

#: Option or command that a hint stands for.
WORDS: dict[Hint, str] = {
    "add to library": "motionloom library add",
    "build graph": "motionloom graph build",
    "build graph anew": "motionloom graph build --force",
    "build graph mirrored": "motionloom graph build --mirror",
    "correct on ground": "motionloom synthesize --physics",
    "create library": "motionloom library create",
    "edit clip": "motionloom edit",
    "fit partial": "motionloom fit --partial fits the rest",
    "force": "--force",
    "give clips": "motionloom shot make --library LIB",
    "give costs": "--costs FILE.py",
    "give height": "motionloom physics report | correct --height METRES",
    "give labels": "--labels FILE",
    "give marker table": "motionloom fit --markers TABLE",
    "give marker unit": "motionloom fit --unit UNIT",
    "give mass": "motionloom physics report | correct --mass KILOGRAMS",
    "give model": "motionloom inbetween fill --model FILE",
    "give times": "motionloom inbetween fill --frames N | --times FILE",
    "make motion": "motionloom synthesize",
    "make pose": "motionloom pose",
    "repair library": "motionloom library check --repair",
    "retarget": "motionloom retarget --to CLIP",
    "retarget into library": "motionloom library add --retarget",
    "start": "motionloom pose --start FILE:FRAME",
    "trust paths": "--trust-paths",
}


def sentence_of(error: MotionloomError) -> str:
    """What the command line says of an error."""
    return str(error) if error.hint is None else f"{error} ({WORDS[error.hint]})"


def refusal_of(paths: Sequence[str], error: MotionloomError) -> str:
    """What the command line says of files that it goes on without; the first three are named."""
    more = "" if len(paths) <= 3 else f" and {len(paths) - 3} more"
    named = f"{', '.join(paths[:3])}{more}: " if paths else ""
    return f"motionloom: {named}{sentence_of(error)}"
