"""Coverage in plain sentences: what the connected clips do, and what nobody does."""

from __future__ import annotations

from motionloom.clips.coverage import LEAST, PACES, TURNS, Behaviour, Coverage

#: One side turns this much more than the other before it is worth a sentence.
_LOPSIDED = 1.5


def describe_covered(coverage: Coverage) -> list[str]:
    """What there is, one sentence each."""
    c = coverage
    shown = [b.name for b in c.behaviours if not b.missing]
    paces = [f"{s:.0f} s {pace}" for pace, s in zip(PACES, c.paces, strict=True) if s >= LEAST]
    return [
        f"Speeds from {c.slowest:.2f} to {c.fastest:.2f} m/s (means over a second);"
        f" {', '.join(paces)}.",
        (
            f"Turns of up to {c.left:.0f} degrees a second to the left and {c.right:.0f} to the"
            f" right, {c.turned_left:.0f} and {c.turned_right:.0f} degrees in all."
        ),
        (
            f"Speeding up by {c.speeding:.1f} m/s and slowing down by {c.slowing:.1f} m/s within a"
            " second at most."
        ),
        *([f"Somebody {_joined(shown)}."] if shown else []),
    ]


def describe_missing(coverage: Coverage) -> list[str]:
    """What nobody does in the clips, one sentence each.

    Nothing where the clips cover everything that is looked for.
    """
    return [*_missing_speeds(coverage), *_missing_turns(coverage), *_missing_behaviours(coverage)]


def _missing_speeds(c: Coverage) -> list[str]:
    still, _, walk = c.borders
    lines = []
    if c.slowest > still:
        lines.append(f"Nobody moves slower than {c.slowest:.2f} m/s.")
    lines += [f"Nobody moves at between {a:.2f} and {b:.2f} m/s." for a, b in c.gaps]
    if c.fastest < walk:
        lines.append(f"Nobody moves faster than {c.fastest:.2f} m/s: nobody runs.")
    return lines


def _missing_turns(c: Coverage) -> list[str]:
    """What turns lack, both sides in one sentence where they lack the same."""
    left, right = (_turn_limits(c, side) for side in (0, 1))
    lines = [text.format(side="to either side") for text in left if text in right]
    lines += [text.format(side="to the left") for text in left if text not in right]
    lines += [text.format(side="to the right") for text in right if text not in left]
    more = max(c.turned_left, c.turned_right)
    less = min(c.turned_left, c.turned_right)
    if more > _LOPSIDED * less and more > 360:
        side, other = ("left", "right") if c.turned_left > c.turned_right else ("right", "left")
        lines.append(
            f"Turning is lopsided: {more:.0f} degrees to the {side}, {less:.0f} to the {other}; "
            "mirrored copies would even it out."
        )
    return lines


def _turn_limits(c: Coverage, side: int) -> list[str]:
    """Sentences about turns to one side: by how much nobody turns, at all or at some paces;
    `{side}` left open.
    """
    usual = [p for p in range(len(PACES)) if c.paces[p] >= LEAST]
    found: list[str] = []
    before = usual
    for least, row in zip(TURNS, c.turning[side], strict=True):
        much = f"by more than {least:.0f} degrees a second"
        paces = [p for p in usual if row[p] >= LEAST]
        if not paces:
            return [*found, f"Nobody turns {{side}} {much}."]
        gone = [p for p in usual if p not in paces]
        fewer = gone if len(gone) <= len(paces) else paces
        where = _joined([_pace(c, p) for p in fewer], "or") if fewer else ""
        if paces != before and fewer is gone:
            found.append(f"Nobody turns {{side}} {much} {where}.")
        elif paces != before:
            found.append(f"Turns {{side}} {much} only {where}.")
        before = paces
    return found


def _pace(c: Coverage, pace: int) -> str:
    still, slow, walk = c.borders
    between = (f"{still:g} to {slow:g}", f"{slow:g} to {walk:g}")
    ranges = (f"below {still:g}", *between, f"above {walk:g}")
    return f"{PACES[pace]} ({ranges[pace]} m/s)"


def _missing_behaviours(c: Coverage) -> list[str]:
    gone = [b for b in c.behaviours if b.missing]
    nowhere = [b.name for b in gone if not b.clips]
    lines = [f"Nobody {_joined(nowhere, 'or')}."] if nowhere else []
    return lines + [_only_outside(b) for b in gone if b.clips]


def _only_outside(b: Behaviour) -> str:
    names = _joined([*b.clips[:3], *([f"{len(b.clips) - 3} more"] if len(b.clips) > 3 else [])])
    left = f"{b.outside:.1f} s of it were left out, in {names}"
    return f"Nobody {b.name} in connected frames; {left}."


def _joined(words: list[str], last: str = "and") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
