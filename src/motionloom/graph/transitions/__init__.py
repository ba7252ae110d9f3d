"""Which frames may be joined: costs, thresholds, transitions, what they connect, and the hierarchy
over them.
"""
