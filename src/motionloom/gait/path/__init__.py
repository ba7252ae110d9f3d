"""Gait along a path: the way, when it is gone, footprints, and the body over them."""
