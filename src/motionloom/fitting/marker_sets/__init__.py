"""Marker sets: which segment each marker sits on, and roughly where."""
