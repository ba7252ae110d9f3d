"""Legs at the pace that suits the clips, warped to the times asked for afterwards."""
