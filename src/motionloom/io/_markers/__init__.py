"""Trajectories of markers: TRC files, and what formats of markers share."""
