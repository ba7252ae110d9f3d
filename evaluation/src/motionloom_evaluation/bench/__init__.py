"""What the scripts of `evaluation/benchmarks` share."""
