"""Poses of robots: what is asked of them, and the compiled solver."""
