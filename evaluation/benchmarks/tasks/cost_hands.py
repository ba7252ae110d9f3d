"""Costs for cost.yaml: hands below a height, and few pieces."""

import numpy as np

from motionloom.synthesis.costs import register_cost


@register_cost("hands_low")
def hands_low(clips, *, height):
    """How far the higher hand is above `height`, metres, in every frame of the clips."""
    hands = [clips.roles.joints["left_hand"], clips.roles.joints["right_hand"]]
    return np.maximum(clips.positions[:, hands, 1].max(axis=1) - height, 0.0)


@register_cost("few_pieces", "path")
def few_pieces(clips, frames, body):
    """Number of pieces of clips that a motion shows."""
    return 1 + np.sum(np.diff(frames) != 1)
