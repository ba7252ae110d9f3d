"""Marker fitting measured: known truth, damage, and methods it is compared with."""
