"""Small variations of a posture: breathing, keeping balance, fidgeting."""

from motionloom.idle.variations.noise import NoiseState, NoiseVariation, fit_noise

__all__ = ["NoiseState", "NoiseVariation", "fit_noise"]
