"""What a motion model is made of, and what it can reach: for people."""

from motionloom.models.overview.survey import (
    ModelOverview,
    ReachableRegion,
    farthest_joint,
    reachable_region,
    survey_model,
    write_model_picture,
)

__all__ = [
    "ModelOverview",
    "ReachableRegion",
    "farthest_joint",
    "reachable_region",
    "survey_model",
    "write_model_picture",
]
