"""Whether woven motion can be told from captured motion, and by what."""

from motionloom.analysis.critic.classifiers import Auc, Verdict
from motionloom.analysis.critic.compare import (
    CompareOptions,
    Comparison,
    Pair,
    compare_motions,
)
from motionloom.analysis.critic.distributions import Distribution
from motionloom.analysis.critic.giveaways import Giveaway
from motionloom.analysis.critic.picture import write_comparison
from motionloom.analysis.critic.provenance import (
    Provenance,
    SourcePiece,
    find_provenance,
    parse_provenance,
    read_provenance,
)
from motionloom.analysis.critic.text import comparison_to_json, format_comparison

__all__ = [
    "Auc",
    "CompareOptions",
    "Comparison",
    "Distribution",
    "Giveaway",
    "Pair",
    "Provenance",
    "SourcePiece",
    "Verdict",
    "compare_motions",
    "comparison_to_json",
    "find_provenance",
    "format_comparison",
    "parse_provenance",
    "read_provenance",
    "write_comparison",
]
