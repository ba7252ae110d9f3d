"""A comparison as a table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from motionloom_evaluation.critic.classifiers import CLASSIFIERS, Auc, Verdict
from motionloom_evaluation.critic.compare import Comparison, Pair
from motionloom_evaluation.critic.distributions import Distribution
from motionloom_evaluation.critic.giveaways import Giveaway
from motionloom_evaluation.critic.windows import STILL

#: What the figures of a comparison are, in one line.
MEANING = "AUC: .5 cannot be told apart, 1 always; in brackets its interval at 95 %"


def format_comparison(comparison: Comparison) -> str:
    """Tables: how well the classifiers tell, distributions side by side, the windows that tell."""
    c = comparison
    count = len(c.results)
    blocks = [
        f"{count} result{'s' if count > 1 else ''} at {c.fps:g} fps, windows of {c.window:.2g} s\n"
        f"{MEANING}"
    ]
    blocks.append(_table("results against all clips", c.clips))
    if c.sources is not None:
        blocks.append(_table("results against the same frames as captured", c.sources))
    if c.floor is not None:
        blocks.append(_table("floor: the same frames as captured against all clips", c.floor))
    rows = [_row(part, by_name) for part, by_name in c.control.items()]
    blocks.append("\n".join([_head("control: clips against clips, random halves of takes"), *rows]))
    blocks.append(_distributions(c))
    if c.giveaways:
        blocks.append("\n".join([_against(c), *(f"  {_say(g)}" for g in c.giveaways)]))
    if c.notes:
        blocks.append("\n".join(["Notes", *(f"  {note}" for note in c.notes)]))
    return "\n\n".join(blocks) + "\n"


def comparison_to_json(comparison: Comparison) -> str:
    """All figures as JSON."""
    c = comparison
    data = {
        "results": c.results,
        "fps": c.fps,
        "window": c.window,
        "clips": _pair_to_dict(c.clips),
        "control": {part: _aucs_to_dict(by_name) for part, by_name in c.control.items()},
        "sources": None if c.sources is None else _pair_to_dict(c.sources),
        "floor": None if c.floor is None else _pair_to_dict(c.floor),
        "distributions": [_distribution_to_dict(d) for d in c.distributions],
        "giveaways": [asdict(g) for g in c.giveaways],
        "notes": c.notes,
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _table(title: str, pair: Pair) -> str:
    sizes = f"{pair.woven} and {pair.captured} windows, {pair.takes} takes"
    lines = [_head(f"{title} ({sizes})")]
    for part, verdict in pair.verdicts.items():
        lines.append(_row(part, verdict.auc))
        lines += [
            _row(f"  {where}", aucs)
            for where, aucs in (("near seams", verdict.near), ("elsewhere", verdict.far))
            if aucs
        ]
    return "\n".join(lines)


def _head(title: str) -> str:
    cells = "".join(f"{name:>22}" for name in CLASSIFIERS)
    return f"{title}\n{'':<16}{cells}"


def _row(name: str, aucs: Mapping[str, Auc]) -> str:
    cells = [_cell(aucs[c]) if c in aucs else "-" for c in CLASSIFIERS]
    return f"  {name:<14}" + "".join(f"{cell:>22}" for cell in cells)


def _cell(auc: Auc) -> str:
    return f"{auc.mean:.2f} ({auc.low:.2f}-{auc.high:.2f})"


def _distributions(comparison: Comparison) -> str:
    with_sources = any(d.sources for d in comparison.distributions)
    titles = ["results", *(["same frames"] if with_sources else []), "all clips"]
    width = 4 + max(len(figures_title(d)) for d in comparison.distributions)
    lines = [f"{'Side by side':<{width}}" + "".join(f"{title:>24}" for title in titles)]
    for d in comparison.distributions:
        name = f"  {figures_title(d)}"
        columns = [d.woven, *([d.sources] if with_sources else []), d.captured]
        lines.append(
            f"{name:<{width}}" + "".join(f"{figures_in_words(values):>24}" for values in columns)
        )
    return "\n".join(lines)


def figures_in_words(values: tuple[float, ...]) -> str:
    """Numbers for people, three digits of each."""
    return " / ".join(f"{v:.3g}" if v >= 1e-3 else "0" for v in values) if values else "-"


def figures_title(d: Distribution) -> str:
    """What the numbers of a distribution are."""
    unit = f", {d.unit}" if d.unit else ""
    return f"{d.name}{unit}: {' / '.join(d.figures)}"


def _against(comparison: Comparison) -> str:
    others = "all clips" if comparison.sources is None else "the same frames as captured"
    return f"Windows that give it away, against {others}"


def _say(g: Giveaway) -> str:
    seam = {None: "", True: ", near a seam", False: ""}[g.near_seam]
    low, high = (100 * v for v in g.captured)
    at_most = "at most " if g.value <= STILL else ""
    what = "deviation of the speed" if g.statistic == "deviation" else f"{g.statistic} speed"
    return (
        f"{g.motion} {g.begin:.2f}-{g.end:.2f} s: {g.part}; {g.joint}, {what} {at_most}"
        f"{100 * g.value:.3g} cm/s (captured {low:.3g}-{high:.3g}){seam}"
    )


def _pair_to_dict(pair: Pair) -> dict[str, Any]:
    return {
        "woven_windows": pair.woven,
        "captured_windows": pair.captured,
        "takes": pair.takes,
        "parts": {part: _verdict_to_dict(v) for part, v in pair.verdicts.items()},
    }


def _verdict_to_dict(verdict: Verdict) -> dict[str, Any]:
    return {
        "auc": _aucs_to_dict(verdict.auc),
        "near_seams": _aucs_to_dict(verdict.near),
        "elsewhere": _aucs_to_dict(verdict.far),
    }


def _aucs_to_dict(aucs: Mapping[str, Auc]) -> dict[str, Any]:
    return {name: asdict(auc) for name, auc in aucs.items()}


def _distribution_to_dict(d: Distribution) -> dict[str, Any]:
    columns = {"results": d.woven, "same_frames": d.sources, "clips": d.captured}
    figures = {
        name: dict(zip(d.figures, values, strict=True))
        for name, values in columns.items()
        if values
    }
    return {"name": d.name, "unit": d.unit, **figures}
