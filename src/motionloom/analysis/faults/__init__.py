"""What an animator would send back: bursts, sudden stops, changes of gait in one step, floating,
gliding, fidgeting hands, detours, knees bent deep, joints that pop, and jumps, gestures and loops
that nobody asked for, each beside what the clips themselves do at most.
"""
