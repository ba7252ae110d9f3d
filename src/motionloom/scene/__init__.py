"""Several characters that meet: each solved by the motion graph, placed, checked and corrected together."""
