from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from motionloom.analysis.quality import compute_quality
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.clips.pieces import GraphWalk, Piece
from motionloom.constraints import ConstraintSet
from motionloom.edit.root import move_body
from motionloom.errors import InvalidInputError
from motionloom.graph.joining import JoinOptions, lay_path, make_draft
from motionloom.io.bvh import read_bvh, write_bvh
from motionloom.kinematics import body_trajectory, forward_kinematics
from motionloom.motion import GroundTransform
from motionloom.posed_motion import pose_motion
from motionloom.skeleton import Skeleton
from motionloom.synthesis.finish import FinishOptions, finish
from motionloom.synthesis.measure import errors_of
from motionloom.synthesis.spread import spread_errors
from performed import performer_clips

FPS = 30.0


def assemble(clips, path, start, constraints, options=None, join=None):
    return finish(make_draft(clips, path, start, constraints, join), clips, constraints, options)


@pytest.fixture(scope="module")
def sources():
    clips = [
        c.motion
        for c in performer_clips(seed=0)
        if c.action in ("walk", "turn") and "spot" not in c.motion.name
    ]
    return analyse_clips(make_clip_set(clips, FPS))


def _nearest(clips, clip, frame, other):
    """Frame of another clip whose pose, seen from the body, is nearest."""
    x, z, facing = clips.body[clips.starts[clip] + frame]
    here = (
        GroundTransform(facing, x, z).inverse().apply(clips.positions[clips.starts[clip] + frame])
    )
    rows = np.arange(clips.starts[other] + 20, clips.starts[other + 1] - 40)
    there = [
        GroundTransform(b[2], b[0], b[1]).inverse().apply(p)
        for b, p in zip(clips.body[rows], clips.positions[rows], strict=True)
    ]
    return 20 + int(np.argmin([np.abs(p - here).sum() for p in there]))


@pytest.fixture(scope="module")
def path(sources):
    """Four pieces of four clips, joined where poses are alike, 121 frames together."""
    clips = sources.clip_set
    walks = [i for i, n in enumerate(clips.names) if n.startswith(("walk_1", "curve", "turn"))][:4]
    pieces, start = [], 50
    for a, b in pairwise(walks):
        pieces.append(Piece(a, start, start + 32))
        start = _nearest(clips, a, start + 32, b)
    pieces.append(Piece(walks[3], start, start + 25))
    assert sum(p.n_frames for p in pieces) == 121
    return GraphWalk(tuple(pieces))


def _constraints(sources, path, joints=()):
    """Start where the path starts; a checkpoint and an end 12 cm and 8 degrees off the path."""
    body = path.body(sources.clip_set)

    def at(frame, dx, dz, turn):
        x, z, facing = body[frame]
        degrees = float((np.degrees(facing) + turn + 180) % 360 - 180)
        return {"time": frame / FPS, "position": (x + dx, z + dz), "facing": degrees}

    wishes = [at(0, 0, 0, 0), at(60, 0.08, -0.09, -8), at(120, -0.1, 0.07, 8)]
    return ConstraintSet(duration=4.0, fps=FPS, body=wishes, joints=list(joints))


def test_laid_pieces_continue_each_other(sources, path):
    laid = lay_path(sources, path, GroundTransform(0.7, 2.0, -1.0))
    pose, roles = forward_kinematics(laid.motion), sources.clip_set.roles
    np.testing.assert_allclose(
        body_trajectory(pose, roles)[:, :2],
        path.body(sources.clip_set, GroundTransform(0.7, 2.0, -1.0))[:, :2],
        atol=1e-9,
    )
    for seam in laid.seams:
        going_on = replace(
            laid.motion.cut(0, 1),
            rotations=seam.rotations[None],
            translations=seam.translations[None],
        )
        there, here = forward_kinematics(going_on), pose.positions[seam.frame]
        hips = roles.joints["hips"]
        np.testing.assert_allclose(there.positions[0, hips, [0, 2]], here[hips, [0, 2]], atol=1e-9)
        assert np.linalg.norm(there.positions[0] - here, axis=-1).max() < 0.25


def test_every_body_constraint_holds_in_the_written_file(sources, path, tmp_path):
    constraints = _constraints(sources, path)
    made = assemble(sources, path, None, constraints)
    assert max(e.position for e in made.errors_before) > 0.1
    assert max(e.facing for e in made.errors_before) > 7.9
    write_bvh(made.motion, tmp_path / "made.bvh")
    back = read_bvh(tmp_path / "made.bvh")
    assert back.n_frames == constraints.n_frames
    errors = errors_of(pose_motion(back, sources.clip_set.roles), constraints)
    assert max(e.position for e in errors) < 1e-3
    assert max(e.facing for e in errors) < 0.1
    assert max(e.position for e in made.errors_after) < 1e-9


def test_feet_are_locked_and_seams_are_smooth(sources, path):
    constraints = _constraints(sources, path)
    free = assemble(sources, path, None, constraints, FinishOptions(footlock=None)).quality
    made = assemble(sources, path, None, constraints)
    assert made.quality.skate_mean < 1.3 * sources.quality.skate_mean + 0.5
    assert made.quality.skate_mean < 0.3 * free.skate_mean
    assert made.quality.seam_acceleration < 2 * sources.quality.acceleration_p99
    assert made.quality.penetration_max < 10
    assert made.lock.largest_correction < 0.12


def test_bones_keep_their_length(sources, path):
    made = forward_kinematics(assemble(sources, path, None, _constraints(sources, path)).motion)
    parents, offsets = sources.clip_set.skeleton.parents, sources.clip_set.skeleton.offsets
    bones = np.linalg.norm(made.positions[:, 1:] - made.positions[:, parents[1:]], axis=-1)
    np.testing.assert_allclose(
        bones, np.broadcast_to(np.linalg.norm(offsets[1:], axis=-1), bones.shape), atol=1e-12
    )


def test_the_same_call_gives_the_same_bytes(sources, path):
    constraints = _constraints(sources, path)
    a, b = (assemble(sources, path, None, constraints).motion for _ in range(2))
    assert a.rotations.tobytes() == b.rotations.tobytes()
    assert a.translations.tobytes() == b.translations.tobytes()


def test_a_hand_meets_its_target_and_the_body_stays_exact(sources, path):
    clips = sources.clip_set
    plain = assemble(sources, path, None, _constraints(sources, path))
    hand, frame = clips.roles.joints["right_hand"], 90
    place = forward_kinematics(plain.motion).positions[frame, hand] + [0.05, 0.15, 0.05]
    target = {"time": frame / FPS, "joint": "right_hand", "position": tuple(place)}
    made = assemble(sources, path, None, _constraints(sources, path, [target]))
    errors = {(e.kind, e.index): e for e in made.errors_after}
    assert errors["joint", 0].position < 1e-3
    assert max(e.position for e in made.errors_after if e.kind == "body") < 1e-9
    assert made.quality.acceleration_max < 1.5 * plain.quality.acceleration_max


def test_a_joint_error_far_from_body_constraints_moves_the_body(sources, path):
    """A head cannot be put anywhere by a limb: the path bends, so that it comes by below its
    target.
    """
    clips = sources.clip_set
    plain = assemble(sources, path, None, _constraints(sources, path))
    head = clips.roles.joints["head"]
    place = forward_kinematics(plain.motion).positions[90, head] + [0.15, 0.0, 0.1]
    target = {"time": 90 / FPS, "joint": "head", "position": tuple(place)}
    made = assemble(sources, path, None, _constraints(sources, path, [target]))
    errors = {(e.kind, e.index): e for e in made.errors_after}
    assert errors["joint", 0].position < 0.02
    assert max(e.position for e in made.errors_after if e.kind == "body") < 1e-9


def test_a_head_is_lowered_to_its_target(sources, path):
    """Standing legs bend for it, and the feet stay where they are."""
    clips = sources.clip_set
    plain = assemble(sources, path, None, _constraints(sources, path))
    head = clips.roles.joints["head"]
    place = forward_kinematics(plain.motion).positions[90, head] + [0.0, -0.08, 0.0]
    target = {"time": 90 / FPS, "joint": "head", "position": tuple(place)}
    made = assemble(sources, path, None, _constraints(sources, path, [target]))
    errors = {(e.kind, e.index): e for e in made.errors_after}
    assert errors["joint", 0].position < 5e-3
    assert max(e.position for e in made.errors_after if e.kind == "body") < 1e-9
    assert made.quality.skate_mean < 1.2 * plain.quality.skate_mean + 0.1
    assert made.quality.penetration_max < 10


def test_a_hand_beyond_the_arm_is_met_with_the_trunk(sources, path):
    clips = sources.clip_set
    plain = assemble(sources, path, None, _constraints(sources, path))
    pose, frame = forward_kinematics(plain.motion), 120
    shoulder, elbow, hand = (
        pose.positions[frame, clips.roles.joints[f"right_{p}"]]
        for p in ("shoulder", "elbow", "hand")
    )
    length = np.linalg.norm(elbow - shoulder) + np.linalg.norm(hand - elbow)
    facing = body_trajectory(pose, clips.roles)[frame, 2]
    place = shoulder + 1.08 * length * np.array([0.8 * np.sin(facing), -0.6, 0.8 * np.cos(facing)])
    target = {"time": frame / FPS, "joint": "right_hand", "position": tuple(place)}
    made = assemble(sources, path, None, _constraints(sources, path, [target]))
    errors = {(e.kind, e.index): e for e in made.errors_after}
    assert errors["joint", 0].position < 2e-3
    assert max(e.position for e in made.errors_after if e.kind == "body") < 1e-9
    assert max(e.facing for e in made.errors_after if e.kind == "body") < 1e-6


def test_a_still_root_above_the_hips_is_not_disturbed(sources, path):
    """Some files put a reference joint that never moves above the hips."""
    clips = sources.clip_set
    old = clips.skeleton
    skeleton = Skeleton(
        ("reference", *old.names),
        np.concatenate([[-1], old.parents + 1]),
        np.concatenate([np.zeros((1, 3)), old.offsets]),
        old.end_parents + 1,
        old.end_offsets,
    )
    quarter = np.array([np.sqrt(0.5), np.sqrt(0.5), 0, 0])

    def rerooted(motion):
        from motionloom import rotations as rot

        quats = np.concatenate(
            [np.tile(quarter, (motion.n_frames, 1, 1)), motion.rotations], axis=1
        )
        quats[:, 1] = rot.multiply(rot.conjugate(quarter), quats[:, 1])
        places = rot.rotate(rot.conjugate(quarter), motion.translations)
        return replace(
            motion, skeleton=skeleton, rotations=quats, translations=places, translated=(1,)
        )

    own = analyse_clips(make_clip_set([rerooted(m) for m in clips.motions], FPS))
    constraints = _constraints(sources, path)
    made, plain = assemble(own, path, None, constraints), assemble(sources, path, None, constraints)
    assert max(e.position for e in made.errors_after) < 1e-9
    np.testing.assert_allclose(made.motion.rotations[:, 0], np.tile(quarter, (121, 1)), atol=1e-12)
    np.testing.assert_allclose(
        forward_kinematics(made.motion).positions[:, 1:],
        forward_kinematics(plain.motion).positions,
        atol=1e-6,
    )


def test_clips_on_grounds_of_different_heights_end_on_one(sources, path):
    clips = [
        move_body(pose_motion(m), np.tile([0.0, 0.05 * (i % 3), 0.0], (m.n_frames, 1))).motion
        for i, m in enumerate(sources.clip_set.motions)
    ]
    own = analyse_clips(make_clip_set(clips, FPS))
    made = assemble(own, path, None, _constraints(sources, path))
    plain = assemble(sources, path, None, _constraints(sources, path))
    gap = forward_kinematics(made.motion).positions - forward_kinematics(plain.motion).positions
    assert np.abs(gap[..., 1] - gap[..., 1].mean()).max() < 0.02


def test_facing_left_open_is_not_forced(sources, path):
    constraints = _constraints(sources, path)
    open_ended = ConstraintSet(
        duration=4.0,
        fps=FPS,
        body=[
            *(c.model_dump() for c in constraints.body[:1]),
            {"time": 4.0, "position": constraints.body[2].position},
        ],
    )
    laid = pose_motion(lay_path(sources, path).motion, sources.clip_set.roles)
    made = spread_errors(laid, open_ended)
    errors = errors_of(pose_motion(made.motion, made.roles), open_ended)
    assert errors[1].facing is None
    assert errors[1].position < 1e-9


def test_a_path_of_another_length_is_refused(sources, path):
    with pytest.raises(InvalidInputError, match="121"):
        assemble(sources, path, None, ConstraintSet(duration=5.0, fps=FPS))


def test_quality_of_the_sources_is_that_of_their_clips(sources):
    clips = sources.clip_set
    pairs = zip(clips.motions, sources.contacts, strict=True)
    alone = [compute_quality(pose_motion(m), c) for m, c in pairs]
    assert (
        min(q.skate_mean for q in alone)
        <= sources.quality.skate_mean
        <= max(q.skate_mean for q in alone)
    )
    assert sources.quality.n_frames == clips.n_frames


def _fits_a_frame(made, sources, path, frame):
    """Largest distance of a joint from its captured place, seen from the torso, and how much the
    height differs.
    """
    clips = sources.clip_set
    row = path.frames(clips)[frame]
    x, z, facing = clips.body[row]
    pose = forward_kinematics(made.motion)
    bx, bz, bfacing = body_trajectory(pose, clips.roles)[frame]
    own = GroundTransform(facing, x, z).inverse().apply(clips.positions[row])
    gap = GroundTransform(bfacing, bx, bz).inverse().apply(pose.positions[frame]) - own
    return np.linalg.norm(gap[:, [0, 2]], axis=-1).max(), np.ptp(gap[:, 1])


@pytest.mark.parametrize("frame", [20, 31, 32, 40, 96])
def test_a_hard_pose_is_the_captured_one(sources, path, frame):
    """Also beside the seam at frame 32, and while the path bends to meet its body constraints."""
    wish = _constraints(sources, path)
    clip = next(
        p
        for p, begin in zip(path.pieces, (0, *path.seams), strict=True)
        if begin <= frame < begin + p.n_frames
    )
    pose = {"time": frame / FPS, "clip": sources.clip_set.names[clip.clip], "frame": 0}
    hard = ConstraintSet(
        duration=4.0, fps=FPS, body=[c.model_dump() for c in wish.body], poses=[pose]
    )
    made = assemble(sources, path, None, hard)
    flat, upright = _fits_a_frame(made, sources, path, frame)
    assert flat < 1e-6
    assert upright < 1e-6
    assert _fits_a_frame(assemble(sources, path, None, wish), sources, path, frame)[0] > 1e-4
    assert max(e.position for e in made.errors_after) < 1e-9
    assert made.quality.acceleration_max < 2 * sources.quality.acceleration_max
    with pytest.raises(InvalidInputError, match="displacement"):
        assemble(sources, path, None, hard, join=JoinOptions(method="crossfade"))


@pytest.mark.parametrize("method", ["displacement", "crossfade", "inertialize"])
def test_every_method_joins_smoothly(sources, path, method):
    made = assemble(
        sources, path, None, _constraints(sources, path), join=JoinOptions(method=method)
    )
    raw = forward_kinematics(lay_path(sources, path).motion).positions
    jumps = np.linalg.norm(np.diff(raw, axis=0), axis=-1).max(axis=1)[[s - 1 for s in path.seams]]
    after = np.linalg.norm(np.diff(forward_kinematics(made.motion).positions, axis=0), axis=-1).max(
        axis=1
    )
    assert made.motion.n_frames == path.n_frames
    assert after.max() < 1.3 * np.quantile(np.linalg.norm(np.diff(raw, axis=0), axis=-1), 0.999)
    assert jumps.max() > 0.05
    assert made.quality.seam_acceleration < 2 * sources.quality.acceleration_p99
    assert made.quality.knee_excess < 1e-4
    assert max(e.position for e in made.errors_after) < 1e-9


def test_what_would_bend_the_path_too_much_is_left_over(sources, path):
    body = path.body(sources.clip_set)
    x, z, facing = body[120]
    ends = [
        {"time": 0.0, "position": tuple(body[0, :2]), "facing": float(np.degrees(body[0, 2]))},
        {"time": 4.0, "position": (x + 3.0, z), "facing": float(np.degrees(facing)) + 170},
    ]
    far = ConstraintSet(duration=4.0, fps=FPS, body=ends)
    made = assemble(sources, path, None, far, FinishOptions(shift=0.25, turn=20.0))
    assert made.errors_after[1].position == pytest.approx(3.0 - 0.25 * 4, abs=1e-6)
    assert made.errors_after[1].facing == pytest.approx(170 - 20 * 4, abs=1e-6)
    exact = assemble(sources, path, None, far, FinishOptions(shift=1.0, turn=60.0))
    assert exact.errors_after[1].position < 1e-9
