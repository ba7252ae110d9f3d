"""Small variations of a posture: breathing, keeping balance, fidgeting; two ways to make them."""

from motionloom.idle.variations.extremes import ExtremesVariation, fit_extremes
from motionloom.idle.variations.noise import NoiseState, NoiseVariation, fit_noise

__all__ = ["ExtremesVariation", "NoiseState", "NoiseVariation", "fit_extremes", "fit_noise"]
