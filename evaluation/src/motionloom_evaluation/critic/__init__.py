"""Whether woven motion can be told from captured motion, and by what."""

from motionloom_evaluation.critic.classifiers import Auc, Verdict
from motionloom_evaluation.critic.compare import (
    CompareOptions,
    Comparison,
    Pair,
    compare_motions,
)
from motionloom_evaluation.critic.distributions import Distribution
from motionloom_evaluation.critic.giveaways import Giveaway
from motionloom_evaluation.critic.picture import write_comparison
from motionloom_evaluation.critic.provenance import (
    Provenance,
    SourcePiece,
    find_provenance,
    parse_provenance,
    read_provenance,
)
from motionloom_evaluation.critic.text import comparison_to_json, format_comparison

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
