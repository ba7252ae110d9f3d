"""Retargeting, measured beside what people try first: rotations copied from joint to joint."""
