"""Excerpts of the demo's report in the documents: which pages have one, and filling them in.

An excerpt is a fenced text block below the line ``<!-- excerpt of demo/report.txt -->``. The page
chooses the rows; their figures come from the report. `build_gallery.py` writes them, and a test
compares them with the report of the same version.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Pages that have an excerpt.
PAGES = (ROOT / "README.md", ROOT / "docs" / "tutorials" / "first-motion.md")

_EXCERPT = re.compile(
    r"(<!-- excerpt of demo/report\.txt -->\n+```text\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE
)
#: Two spaces or more separate the cells of a row.
_GAP = re.compile(r"  +")


def excerpts_of(page: str) -> list[str]:
    """Return the text of each excerpt of a page."""
    return [match[2] for match in _EXCERPT.finditer(page)]


def filled_page(page: str, report: str) -> str:
    """Return the page with the rows of its excerpts as they stand in the report.

    Parameters
    ----------
    page : str
        Text of a page.
    report : str
        Text of ``demo/report.txt``.

    Raises
    ------
    ValueError
        If a row of an excerpt is not in the report, or more than once.
    """
    rows = report.splitlines()

    def fill(match: re.Match[str]) -> str:
        lines = [_row_like(line, rows) if line.strip() else line for line in match[2].splitlines()]
        return match[1] + "\n".join(lines) + "\n" + match[3]

    return _EXCERPT.sub(fill, page)


def _row_like(line: str, rows: list[str]) -> str:
    """The row with the label of a line; of several the one with its first cell, such as a time."""
    label, *cells = _cells(line)
    found = [row for row in rows if _cells(row)[0] == label]
    if len(found) > 1:
        found = [row for row in found if _cells(row)[1:2] == cells[:1]]
    if len(found) != 1:
        raise ValueError(f"{len(found)} rows of the report are like {line.strip()!r}; expected one")
    return found[0]


def _cells(row: str) -> list[str]:
    return _GAP.split(row.strip())
