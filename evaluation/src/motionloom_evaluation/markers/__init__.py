"""Markers to skeletons: known truth, real trials, a dog, and methods side by side."""
