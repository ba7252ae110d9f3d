"""Several wishes out of the same clips: the motion graph is built once."""

import motionloom as ml
from motionloom.performer import performer_clips
from motionloom.synthesis import fit_generator

fitted = fit_generator([clip.motion for clip in performer_clips()], fps=30.0)
for facing in (-90, 0, 90):
    wish = {
        "duration": 5.0,
        "body": [
            {"time": 0.0, "position": [0.0, 0.0], "facing": 0},
            {"time": 5.0, "position": [0.02 * facing, 2.0], "facing": facing},
        ],
    }
    report = ml.synthesize(fitted, wish, seed=1, budget=2.0).report
    pieces = len(report.details.pieces)
    print(
        f"facing {facing:+d}: score {report.score:.2f}, {pieces} pieces, skate x"
        f" {report.skate_ratio:.2f}"
    )
