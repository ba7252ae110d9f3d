"""What captures say of naturalness: read where it was kept, else learned and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.errors import FormatError, InvalidInputError, MotionloomError
from motionloom.places import Place
from motionloom.progress import Progress, Tell, quiet, silent
from motionloom.reading import ReadOptions, read_motions

if TYPE_CHECKING:
    from motionloom.analysis.judge_store import KeptNaturalness
    from motionloom.analysis.oddness import MotionJudge
    from motionloom.motion import Motion
    from motionloom.roles import Roles
    from motionloom.spaces.pose_space import PoseSpace


@dataclass(eq=False)
class Naturalness:
    """A pose space with models of naturalness, from the first of: a file, a library, clips.

    Parameters
    ----------
    place : Place, optional
        A library or clips; may be absent where the file exists.
    options : ReadOptions
        How clips are read.
    file : Path, optional
        Pose space: read if it exists and is of these clips, else written.
    seed : int
        Seed of the models; what was learned with another is learned again.
    judging : bool
        Whether every capture is to be judged by models that have not seen it.
    force : bool
        Whether the file is replaced whoever wrote it.
    progress : Progress
        Told while clips are read and models fitted.
    tell : callable
        Takes a line about what was read, learned or kept.
    """

    place: Place | None
    options: ReadOptions
    file: Path | None = None
    seed: int = 0
    judging: bool = True
    force: bool = False
    progress: Progress = silent
    tell: Tell = quiet
    _motions: Sequence[Motion] = ()
    _key: str = ""
    _names: tuple[str, ...] = ()
    _roles: Roles | None = None

    def get(self) -> KeptNaturalness:
        """Read or learn it.

        Raises
        ------
        MotionloomError
            When clips or the file cannot be read, or too few poses are there.
        """
        if self.place is not None:
            self._identify(self.place)
        space, kept = self._read()
        if kept is not None:
            self.tell(f"naturalness read from {self._where()}")
            return kept
        kept = self._learn(space)
        self._keep(kept)
        return kept

    def motions(self) -> Sequence[Motion]:
        """The clips; none without a place."""
        if not self._motions and self.place is not None:
            self._motions = read_motions(self.place, self.options, self.progress, self.tell)
        return self._motions

    def _where(self) -> Path | None:
        from motionloom.library.writer import NATURALNESS

        if self.file is not None:
            return self.file
        library = None if self.place is None else self.place.library
        return None if library is None else library / NATURALNESS

    def _identify(self, place: Place) -> None:
        """Find what stands for the clips."""
        from motionloom.clips.choose import choose_clips
        from motionloom.library import open_library
        from motionloom.library.naturalness import naturalness_key

        options = self.options
        if place.library is None:
            self._key = "" if self.file is None else _key_of_files(place, options)
            return
        library = open_library(place.library)
        self._names = choose_clips(library.names, options.only, options.without)
        self._roles = options.read_roles(library.skeleton) or library.roles
        self._key = naturalness_key(library, self._names, self._roles)

    def _read(self) -> tuple[PoseSpace | None, KeptNaturalness | None]:
        """Pose space, and models if they are there and of these clips."""
        from motionloom.analysis.judge_store import load_naturalness
        from motionloom.spaces import load_pose_space

        path = self._where()
        if path is None or not path.exists():
            return None, None
        try:
            kept = load_naturalness(path)
        except FormatError as error:
            if self.place is None:
                raise
            self.tell(f"warning: {error}")
            return None, None
        if kept is None:
            return (load_pose_space(path) if self.place is None else None), None
        if self.place is not None and kept.key != self._key:
            self.tell(f"{path}: was learned from other clips; learning again")
            return None, None
        # Poses and motion are judged by it, as far as they can be at all.
        is_whole = kept.judge is not None and (kept.motion is not None or bool(kept.why))
        is_same = kept.seed == self.seed and (is_whole or not self.judging)
        return kept.space, kept if is_same else None

    def _learn(self, space: PoseSpace | None) -> KeptNaturalness:
        from motionloom.analysis.judge import fit_judge
        from motionloom.analysis.judge_store import KeptNaturalness
        from motionloom.analysis.naturalness import fit_naturalness
        from motionloom.spaces import fit_pose_space

        names = self._names
        if space is None:
            motions = self.motions()
            names = tuple(m.name for m in motions)
            roles = self._roles or self.options.read_roles(motions[0].skeleton)
            space = fit_pose_space(motions, roles=roles, progress=self.progress)
        elif self.place is not None and not names:
            names = tuple(m.name for m in self.motions())
        if not self.judging:
            model = fit_naturalness(space, seed=self.seed, progress=self.progress)
            return KeptNaturalness(space, model, self.seed, self._key)
        judge = fit_judge(space, seed=self.seed, names=names, progress=self.progress)
        motion, why = self._learn_motion(space)
        model = judge.models[-1]
        return KeptNaturalness(space, model, self.seed, self._key, judge, motion, why)

    def _learn_motion(self, space: PoseSpace) -> tuple[MotionJudge | None, str]:
        """What judges motion, or why there is none; it needs the clips themselves."""
        from motionloom.analysis.oddness import fit_motion_judge
        from motionloom.posed_motion import PosedMotion

        if self.place is None:
            return None, "it was not learned, as the clips of this pose space were not at hand"
        clips = [PosedMotion(m, space.roles) for m in self.motions()]
        try:
            judge = fit_motion_judge(clips, seed=self.seed, progress=self.progress)
        except InvalidInputError as error:
            return None, str(error)
        return judge, ""

    def _keep(self, kept: KeptNaturalness) -> None:
        """Write it where it belongs, if anywhere; say where, or why not."""
        path = self._where()
        if path is None:
            return
        try:
            written = self._keep_in_library(kept) if self.file is None else self._write(kept)
        except MotionloomError as error:
            self.tell(f"naturalness is not kept, and will be learned again: {error}")
            return
        self.tell(f"naturalness kept in {written}")

    def _write(self, kept: KeptNaturalness) -> Path:
        from motionloom.analysis.judge_store import save_naturalness
        from motionloom.io.written import is_replaceable
        from motionloom.workspace.writing import Writer

        assert self.file is not None
        if not self.force and not is_replaceable(self.file):
            raise InvalidInputError(
                f"{self.file}: motionloom did not write this file, or it has changed since;"
                " choose another name, or insist on replacing it",
                hint="force",
            )
        return Writer(self.force).write(self.file, lambda path: save_naturalness(kept, path))

    def _keep_in_library(self, kept: KeptNaturalness) -> Path:
        from motionloom.library import open_library
        from motionloom.library.naturalness import keep_naturalness

        assert self.place is not None
        assert self.place.library is not None
        assert self._roles is not None
        folder = self.place.library
        told = f"waiting for another process that is changing {folder}"
        return keep_naturalness(
            open_library(folder), self._names, self._roles, kept, lambda: self.tell(told)
        )


def _key_of_files(place: Place, options: ReadOptions) -> str:
    """What stands for clips in files and for how they are read."""
    from motionloom.library.manifest import hash_files

    clips = [(path.name, hash_files(path, None)) for path in place.files]
    others = [hash_files(path, None) for path in options.companions]
    told = {name: str(value) for name, value in options.of_files.items() if name != "skeleton"}
    facts = [clips, others, told, list(options.only or ()), list(options.without or ())]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
