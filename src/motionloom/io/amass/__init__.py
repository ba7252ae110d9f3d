"""AMASS motions of the SMPL family of body models, with or without a body model."""

from motionloom.io.amass._read import is_amass, read_amass

__all__ = ["is_amass", "read_amass"]
