"""A new motion out of clips: the main job in one call."""

from motionloom import (
    BodyConstraint,
    ConstraintSet,
    performer_clips,
    save,
    synthesize,
    write_contact_sheet,
)

clips = [clip.motion for clip in performer_clips()]
wish = ConstraintSet(
    duration=6.0,
    body=(
        BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0),
        BodyConstraint(time=6.0, position=(1.5, 3.0), facing=60),
    ),
)
result = synthesize(clips, wish)
print(result.report.to_text())
save(result.motion, "walk.bvh")
write_contact_sheet(result.motion, "walk.png", targets=wish)
