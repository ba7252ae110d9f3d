"""Texts of a document in the order of its edits, and which of them is the present one."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: Most edits that can be undone.
MOST_STEPS = 1000


@dataclass(frozen=True)
class Step:
    """The document after one edit.

    Parameters
    ----------
    label : str
        What the edit did, in words.
    text : str
        The whole file.
    """

    label: str
    text: str


@dataclass(frozen=True)
class History:
    """All edits that can be undone or done again.

    Parameters
    ----------
    steps : tuple of Step
        The first is what there was before any edit.
    now : int
        Index of the present one.
    """

    steps: tuple[Step, ...]
    now: int = 0

    @classmethod
    def of(cls, text: str) -> History:
        """History of a document that nobody has edited."""
        return cls((Step("", text),))

    @property
    def text(self) -> str:
        """The document now."""
        return self.steps[self.now].text

    @property
    def undo_label(self) -> str | None:
        """What would be undone."""
        return self.steps[self.now].label if self.now else None

    @property
    def redo_label(self) -> str | None:
        """What would be done again."""
        return self.steps[self.now + 1].label if self.now + 1 < len(self.steps) else None

    def edited(self, label: str, text: str) -> History:
        """With one more edit; what was undone before is gone."""
        steps = (*self.steps[: self.now + 1], Step(label, text))[-MOST_STEPS - 1 :]
        return History(steps, len(steps) - 1)

    def moved(self, by: int) -> History:
        """Undone (-1) or done again (+1); as it is where there is nothing."""
        return replace(self, now=min(max(self.now + by, 0), len(self.steps) - 1))
