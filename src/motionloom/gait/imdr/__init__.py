"""Incomplete motion data reconstruction: two clips and the gait between them ([Xiao2009]_)."""
