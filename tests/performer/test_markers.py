import numpy as np

from motionloom.performer.markers import marker_layout


def test_forty_one_markers_move_with_their_segments(clips):
    clip = clips[0]
    markers = clip.markers
    assert len(markers.labels) == 41
    assert markers.valid.all()
    assert markers.n_frames == clip.motion.n_frames
    joint = clip.motion.skeleton.index("LeftLeg")
    distance = np.linalg.norm(
        markers.positions[:, markers.index("LTIB")] - clip.joint_positions[:, joint], axis=-1
    )
    assert np.ptp(distance) < 1e-9


def test_layout_is_mirrored():
    from motionloom.performer import make_performer

    layout = marker_layout(make_performer())
    for label, (joint, place) in layout.items():
        if label.startswith("L") and "Left" in joint:
            other, mirrored = layout["R" + label[1:]]
            assert other == joint.replace("Left", "Right")
            np.testing.assert_allclose(mirrored, place * [-1.0, 1.0, 1.0])


def test_markers_lie_where_a_body_has_them(clips):
    """In quiet standing: head on top, heels low, C7 behind CLAV, left on the left."""
    markers = clips[0].markers
    at = {label: markers.positions[0, i] for i, label in enumerate(markers.labels)}
    assert (
        at["LFHD"][1]
        > at["C7"][1]
        > at["LASI"][1]
        > at["LKNE"][1]
        > at["LANK"][1]
        > at["LHEE"][1]
        > 0.0
    )
    assert at["C7"][2] < at["CLAV"][2]
    assert all(
        at["L" + n][0] > at["R" + n][0] for n in ("SHO", "ELB", "ASI", "KNE", "ANK", "TOE", "FIN")
    )
