"""Labels files: YAML or JSON that says which clips, or parts of clips, have which label."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np

from motionloom.clips.labels import Label
from motionloom.errors import FormatError
from motionloom.io.document import read_document
from motionloom.io.limits import MOST_LABELS, MOST_PATTERNS


def read_labels(path: str | PathLike[str]) -> tuple[Label, ...]:
    r"""Read a labels file, YAML or JSON.

    It has ``labels:``, a list of ``{clips: PATTERN, label: NAME, from: s, to: s}``.

    Raises
    ------
    FormatError
        In one sentence: file, line, what was read and what was expected.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("labels.yaml").write_text("labels:\n  - {clips: walk*, label: walking}\n")
    >>> read_labels("labels.yaml")[0].label
    'walking'
    """
    document = read_document(path)
    rows = document.value.get("labels") if isinstance(document.value, dict) else None
    if not isinstance(rows, list) or not rows:
        example = "'labels:' and '  - {clips: \"*walk*\", label: walk}'"
        raise FormatError(f"expected a list 'labels'; begin with {example}", path, 1)
    labels = tuple(
        _read_label(row, i, path, document.line_of(("labels", i))) for i, row in enumerate(rows)
    )
    different = len({label.label for label in labels}), MOST_LABELS
    patterns = sum(label.is_pattern for label in labels), MOST_PATTERNS
    counts = {"different labels": different, "rows with patterns": patterns}
    for what, (count, most) in counts.items():
        if count > most:
            told = f"{count} {what}; expected at most {most}; leave out what is not asked for"
            raise FormatError(told, path)
    return labels


def _read_label(row: Any, i: int, path: str | PathLike[str], line: int) -> Label:
    known = {"clips", "label", "from", "to"}
    if not isinstance(row, dict) or not {"clips", "label"} <= set(row) <= known:
        wanted = "{clips: PATTERN, label: NAME} and perhaps from and to"
        raise FormatError(f"labels[{i}]: expected {wanted}, got {str(row)[:80]}", path, line)
    if not all(isinstance(row[k], str) and row[k] for k in ("clips", "label")):
        told = f"clips and label must be text, got {str(row)[:80]}"
        raise FormatError(f"labels[{i}]: {told}", path, line)
    begin = row.get("from", 0.0)
    end = row.get("to", np.inf)
    if not all(isinstance(t, (int, float)) and t >= 0 for t in (begin, end)) or begin >= end:
        told = f"expected seconds with 'from' before 'to', got {begin} and {end}"
        raise FormatError(f"labels[{i}]: {told}", path, line)
    return Label(row["clips"], row["label"], float(begin), float(end))
