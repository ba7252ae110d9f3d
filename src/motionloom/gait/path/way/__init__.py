"""The way of a gait: what is asked, its curve, its times, and whether a gait can follow it."""
