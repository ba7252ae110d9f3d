"""What a motion model is made of, and what it can reach: for people."""

from motionloom.models.overview.picture import write_model_picture
from motionloom.models.overview.reach import ReachableRegion, farthest_joint, reachable_region
from motionloom.models.overview.survey import ModelOverview, survey_model

__all__ = [
    "ModelOverview",
    "ReachableRegion",
    "farthest_joint",
    "reachable_region",
    "survey_model",
    "write_model_picture",
]
