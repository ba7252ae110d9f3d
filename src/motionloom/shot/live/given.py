"""What was given last, so that every result says what of it differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.analysis.contacts import FootContacts
from motionloom.motion import Motion
from motionloom.shot.live.remaking import Shown
from motionloom.shot.live.results import LiveCharacterReport, LiveResult, Quality

#: Numbers of a motion that differ by less are the same.
SAME = 1e-9


@dataclass(eq=False)
class Given:
    """Motions that were given last."""

    _motions: Mapping[str, tuple[Motion, FootContacts]] = field(default_factory=dict)

    def give(
        self,
        shown: Shown,
        quality: Quality,
        notes: tuple[str, ...] = (),
        report: Mapping[str, LiveCharacterReport] | None = None,
    ) -> LiveResult:
        """The result, with what differs from the one before.

        Parameters
        ----------
        shown : Shown
            What is shown.
        quality : str
            How it was made.
        notes : tuple of str
            What could not be bent.
        report : mapping of str to LiveCharacterReport, optional
            How every character came out.

        Returns
        -------
        LiveResult
        """
        given = {
            who: (_named(row.shown.motion, who), row.contacts) for who, row in shown.rows.items()
        }
        changed = {}
        for who, (motion, contacts) in given.items():
            window = _changed(self._motions.get(who), motion, contacts)
            if window is not None:
                changed[who] = window
        self._motions = given
        return LiveResult(
            quality=quality,
            motions={who: motion for who, (motion, _) in given.items()},
            contacts={who: contacts for who, (_, contacts) in given.items()},
            changed=changed,
            bent=shown.bent if quality == "preview" else (),
            score=shown.score,
            notes=notes,
            report=report,
        )


def _named(motion: Motion, who: str) -> Motion:
    """A motion with a name; one that has it already stays as it is, bit by bit."""
    return motion if motion.name == who else replace(motion, name=who)


def _changed(
    before: tuple[Motion, FootContacts] | None, motion: Motion, contacts: FootContacts
) -> tuple[int, int] | None:
    """First frame that differs and the one behind the last; None where none does."""
    count = motion.n_frames
    if before is None or before[0].rotations.shape[1:] != motion.rotations.shape[1:]:
        return 0, count
    old, old_contacts = before
    both = min(count, old.n_frames)
    differs = np.zeros(max(count, old.n_frames), bool)
    differs[both:] = True
    differs[:both] = (
        (np.abs(old.rotations[:both] - motion.rotations[:both]) > SAME).any(axis=(1, 2))
        | (np.abs(old.translations[:both] - motion.translations[:both]) > SAME).any(axis=(1, 2))
        | (old_contacts.down[:both] != contacts.down[:both]).any(axis=1)
    )
    frames = np.flatnonzero(differs)
    if not len(frames):
        return None
    # Of a motion that became shorter its last frame stands for those that are gone.
    return int(min(frames[0], count - 1)), int(min(frames[-1] + 1, count))
