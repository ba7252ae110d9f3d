"""Spaces learned from captured poses: PCA, and what is built on it."""

from motionloom.spaces.pca import PCA

__all__ = ["PCA"]
