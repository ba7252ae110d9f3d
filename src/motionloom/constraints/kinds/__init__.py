"""Kinds of constraints: one file for each, and the table of them all."""
