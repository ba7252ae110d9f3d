"""Bodies and their loads for robotics."""
