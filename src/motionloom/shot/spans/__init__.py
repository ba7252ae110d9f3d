"""What makes the motion of each kind of span."""
