"""Spaces learned from captured poses: PCA, and what is built on it."""

from motionloom.spaces.pca import PCA
from motionloom.spaces.pose_space import PoseSpace, fit_pose_space
from motionloom.spaces.store import load_pose_space, save_pose_space

__all__ = ["PCA", "PoseSpace", "fit_pose_space", "load_pose_space", "save_pose_space"]
