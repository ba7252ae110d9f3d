"""The commands ``motionloom evaluate`` and ``motionloom compare``."""
