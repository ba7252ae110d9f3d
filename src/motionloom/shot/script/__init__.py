"""The vocabulary of a shot file, and shot files read."""
