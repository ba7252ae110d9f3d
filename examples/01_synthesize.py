"""A new motion out of clips: the main job in one call."""

import motionloom as ml
from motionloom.performer import performer_clips
from motionloom.view import write_contact_sheet

clips = [clip.motion for clip in performer_clips()]
wish = {
    "duration": 6.0,
    "body": [
        {"time": 0.0, "position": [0.0, 0.0], "facing": 0},
        {"time": 6.0, "position": [1.5, 3.0], "facing": 60},
    ],
}
result = ml.synthesize(clips, wish)
print(result.report.to_text())
result.save("walk.bvh")
write_contact_sheet(result.motion, "walk.png")
