"""Several wishes out of the same clips: the motion graph is built once."""

from motionloom import (
    BodyConstraint,
    ConstraintSet,
    SynthesisOptions,
    fit_generator,
    performer_clips,
    synthesize,
)

options = SynthesisOptions(seed=1, budget=2.0, alternatives=1)
fitted = fit_generator([clip.motion for clip in performer_clips()], fps=30.0, options=options)
for facing in (-90, 0, 90):
    wish = ConstraintSet(
        duration=5.0,
        body=(
            BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0),
            BodyConstraint(time=5.0, position=(0.02 * facing, 2.0), facing=facing),
        ),
    )
    report = synthesize(fitted, wish, options).report
    pieces = len(report.details.pieces)
    print(
        f"facing {facing:+d}: score {report.score:.2f}, {pieces} pieces, skate x"
        f" {report.skate_ratio:.2f}"
    )
