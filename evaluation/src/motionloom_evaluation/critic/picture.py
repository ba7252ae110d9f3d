"""A comparison as a picture: bars of how well each part tells, and distributions side by side."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from os import PathLike
from typing import Any

import numpy as np

from motionloom.io.files import write_file
from motionloom_evaluation.critic.classifiers import CLASSIFIERS, Auc
from motionloom_evaluation.critic.compare import Comparison
from motionloom_evaluation.critic.distributions import Distribution
from motionloom_evaluation.critic.text import figures_in_words, figures_title

#: Ink of each set of figures.
_INK = {"woven": "#c81e5a", "sources": "#e39a1d", "captured": "#1f77b4", "control": "#9aa4ad"}
#: What the sets are called.
_NAMES = {"woven": "results", "sources": "same frames as captured", "captured": "all clips"}
_COLUMNS = 3
#: Unit of figures that reach over several powers of ten, and the least that is drawn of them.
_SLOW, _LEAST = "cm/s", 0.01


def write_comparison(comparison: Comparison, path: str | PathLike[str]) -> None:
    """Write a PNG.

    Parameters
    ----------
    comparison : Comparison
        As `compare_motions` gives it.
    path : path-like
        The file; one that is there is replaced.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    drawn = [d for d in comparison.distributions if d.drawn]
    rows = -(-(len(drawn) + 1) // _COLUMNS)
    canvas = Canvas(figsize=(11, 3.6 + 2.1 * rows), dpi=100, facecolor="white")
    grid = canvas.add_gridspec(1 + rows, 6, height_ratios=[1.5, *[1.0] * rows])
    for i, classifier in enumerate(CLASSIFIERS):
        _draw_bars(canvas.add_subplot(grid[0, 3 * i : 3 * i + 3]), comparison, classifier, i == 0)
    for i, distribution in enumerate(drawn):
        row, column = divmod(i, _COLUMNS)
        place = grid[1 + row, 2 * column : 2 * column + 2]
        axes = canvas.add_subplot(place)
        _draw_distribution(axes, distribution)
        if column == 0:
            axes.set_ylabel("share below", fontsize=8)
        if column == _COLUMNS - 1 and axes.lines:
            axes.legend(fontsize=7.5, frameon=False, loc="lower right")
    row, column = divmod(len(drawn), _COLUMNS)
    _write_figures(canvas.add_subplot(grid[1 + row, 2 * column :]), comparison)
    canvas.tight_layout(h_pad=1.2, rect=(0, 0, 1, 0.96))
    handles, labels = canvas.axes[0].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="upper center", ncols=3, fontsize=9, frameon=False)
    data = BytesIO()
    FigureCanvasAgg(canvas).print_png(data, metadata={"Software": None})
    write_file(path, data.getvalue())


def _write_figures(axes: Any, comparison: Comparison) -> None:
    """The distributions that are no curves, as numbers."""
    axes.axis("off")
    single = [d for d in comparison.distributions if not d.drawn]
    keys = [k for k in _NAMES if any(getattr(d, k) for d in single)]
    lines = ["  |  ".join(_NAMES[key] for key in keys), ""]
    for d in single:
        columns = [figures_in_words(getattr(d, key)) for key in keys]
        lines += [figures_title(d), "    " + "  |  ".join(columns)]
    axes.text(0, 1, "\n".join(lines), va="top", fontsize=8, linespacing=1.35, parse_math=False)


def _draw_bars(axes: Any, comparison: Comparison, classifier: str, legend: bool) -> None:
    parts = list(comparison.clips.verdicts)
    sets: dict[str, tuple[str, Mapping[str, Mapping[str, Auc]]]] = {
        "woven": (
            "results | all clips",
            {p: v.auc for p, v in comparison.clips.verdicts.items()},
        )
    }
    if comparison.sources is not None:
        own = {p: v.auc for p, v in comparison.sources.verdicts.items()}
        sets["sources"] = ("results | same frames as captured", own)
    sets["control"] = ("control: clips | clips", comparison.control)
    width = 0.8 / len(sets)
    for k, (key, (label, figures)) in enumerate(sets.items()):
        aucs = [figures[part][classifier] for part in parts]
        means = np.array([a.mean for a in aucs])
        reach = [means - [a.low for a in aucs], np.array([a.high for a in aucs]) - means]
        x = np.arange(len(parts)) + (k - (len(sets) - 1) / 2) * width
        axes.bar(
            x, means - 0.5, width * 0.92, bottom=0.5, color=_INK[key], label=label, yerr=reach,
            error_kw={"lw": 0.8, "ecolor": "0.25", "capsize": 2},
        )  # fmt: skip
        for at, auc in zip(x, aucs, strict=True):
            y = max(auc.high, 0.5) + 0.015
            axes.text(at, y, f"{auc.mean:.2f}".lstrip("0"), ha="center", va="bottom", fontsize=7)
    axes.axhline(0.5, color="0.3", lw=0.8)
    axes.set_ylim(0.25, 1.1)
    axes.set_xticks(np.arange(len(parts)), parts, fontsize=9)
    axes.tick_params(axis="y", labelsize=8)
    axes.set_title(f"{classifier} classifier", fontsize=10, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    if legend:
        axes.set_ylabel("AUC (.5: cannot be told apart)", fontsize=9)


def _draw_distribution(axes: Any, distribution: Distribution) -> None:
    """Curves of the share of values below each value, over the middle 98 %."""
    shares = np.linspace(0.01, 0.99, 99)
    for key, values in distribution.drawn.items():
        if len(values):
            ends = np.quantile(values, shares)
            ends = np.maximum(ends, _LEAST) if distribution.unit == _SLOW else ends
            axes.plot(ends, shares, color=_INK[key], lw=1.4, label=_NAMES[key])
    if distribution.unit == _SLOW:
        axes.set_xscale("log")
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.5, 1])
    axes.tick_params(labelsize=7.5)
    axes.set_title(f"{distribution.name}, {distribution.unit}", fontsize=9, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
