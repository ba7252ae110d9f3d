"""Every fault is named where it was put, and clean clips name none."""

from dataclasses import replace

import numpy as np
import pytest

from motionloom import rotations as rot
from motionloom.analysis.contacts import detect_contacts
from motionloom.analysis.faults.find import (
    find_bursts,
    find_deep_bends,
    find_fidgeting,
    find_floating,
    find_gait_switches,
    find_gliding,
    find_pops,
)
from motionloom.analysis.faults.limits import measure_limits
from motionloom.analysis.faults.signals import SMOOTH
from motionloom.analysis.faults.unasked import (
    direct_curve,
    find_cut_jumps,
    find_detours,
    find_gestures,
    find_jumps,
    find_loops,
)
from motionloom.analysis.gaits import RUNNING, STANDING, WALKING, gaits_of
from motionloom.analysis.hinges import fit_hinges
from motionloom.analysis.soles import point_velocity
from motionloom.clips.analysis import analyse_clips
from motionloom.clips.clip_set import make_clip_set
from motionloom.constraints import BodyConstraint
from motionloom.io.registry import load_motion
from motionloom.motion import concatenate
from motionloom.posed_motion import PosedMotion


@pytest.fixture(scope="module")
def clips(performed):
    return analyse_clips(performed)


@pytest.fixture(scope="module")
def by_name(clips):
    return {m.name: PosedMotion(m, clips.roles) for m in clips.clip_set.motions}


def moved(posed, offset):
    """The same motion with its root moved by so many metres (T, 3)."""
    motion = posed.motion
    places = motion.translations.copy()
    places[:, list(motion.translated).index(motion.root_joint)] += offset
    return posed.with_motion(replace(motion, translations=places))


def test_clean_clips_name_nothing_but_what_their_hands_do(clips, by_name):
    for posed, contacts in zip(by_name.values(), clips.contacts, strict=True):
        found = (
            *find_bursts(posed, clips.limits),
            *find_gait_switches(posed, clips.limits),
            *find_floating(posed, contacts, clips.limits),
            *find_gliding(posed, contacts, clips.limits),
            *find_jumps(posed, contacts, clips.limits),
            *find_gestures(posed, clips.limits),
            *find_loops(posed, [], clips.limits),
        )
        assert found == ()
        assert not any(f.grave for f in find_fidgeting(posed, clips.limits))


def test_gaits_are_told_by_the_froude_number():
    speeds = np.array([0.0, 0.2, 1.3, 1.9, 2.3, 5.0])
    wanted = [STANDING, STANDING, WALKING, WALKING, RUNNING, RUNNING]
    assert gaits_of(speeds, 0.9).tolist() == wanted
    assert gaits_of(speeds * 0.5, 0.9 * 0.25).tolist() == wanted


def test_rates_are_slopes_whatever_the_frame_rate():
    for fps in (24.0, 30.0, 120.0):
        t = np.arange(20) / fps
        assert np.allclose(point_velocity(3.0 * t, fps, SMOOTH), 3.0)
        assert np.allclose(point_velocity(np.column_stack([t, -2 * t]), fps, SMOOTH), [1.0, -2.0])


def test_a_walk_frozen_in_full_stride_is_a_sudden_stop(clips, by_name):
    walk = by_name["walk_1.6"].motion
    stop = walk.n_frames // 2
    frozen = concatenate([walk.cut(0, stop), *[walk.cut(stop - 1, stop)] * 30])
    (fault,) = find_bursts(PosedMotion(frozen, clips.roles), clips.limits)
    assert "lose" in fault.text
    assert fault.begin == pytest.approx(stop / walk.fps, abs=0.35)
    assert fault.limit < fault.value == pytest.approx(1.6, abs=0.5)
    assert fault.grave


def test_a_jolt_of_the_body_is_a_burst_of_the_size_it_has(clips, by_name):
    stand = by_name["stand"]
    t = np.arange(stand.n_frames) / stand.fps
    way = np.maximum(t - 2.0, 0.0) * 4.0
    jolted = moved(stand, np.column_stack([way, 0 * t, 0 * t]))
    (fault,) = find_bursts(jolted, clips.limits)
    assert "gain" in fault.text
    assert fault.value == pytest.approx(4.0, abs=0.1)
    assert fault.begin == pytest.approx(1.9, abs=0.2)
    assert fault.grave


def test_a_gait_that_changes_in_one_step_is_named_with_both(clips, by_name):
    walk = by_name["walk_0.6"]
    t = np.arange(walk.n_frames) / walk.fps
    way = np.maximum(t - 2.5, 0.0) * 4.0
    (fault,) = find_gait_switches(moved(walk, np.column_stack([0 * t, 0 * t, way])), clips.limits)
    assert "walking" in fault.text
    assert "running" in fault.text
    assert fault.begin == pytest.approx(2.5, abs=0.4)


def test_a_body_lifted_off_the_ground_floats_for_as_long(clips, by_name):
    stand = by_name["stand"]
    lifted = np.zeros((stand.n_frames, 3))
    lifted[30:75, 1] = 0.3
    posed = moved(stand, lifted)
    (fault,) = find_floating(posed, detect_contacts(posed, soles=clips.soles), clips.limits)
    assert fault.begin == pytest.approx(1.0, abs=0.1)
    assert fault.value == pytest.approx(1.5, abs=0.15)
    assert fault.grave


def test_a_body_that_is_pushed_along_as_it_stands_glides(clips, by_name):
    stand = by_name["stand"]
    t = np.arange(stand.n_frames) / stand.fps
    way = 0.5 * np.clip(t - 2.0, 0.0, 1.0)
    posed = moved(stand, np.column_stack([way, 0 * t, 0 * t]))
    (fault,) = find_gliding(posed, detect_contacts(posed, soles=clips.soles), clips.limits)
    assert fault.value == pytest.approx(0.5, abs=0.03)
    assert 1.8 < fault.begin < fault.end < 3.2
    assert fault.grave


@pytest.mark.parametrize("waves", [1.0, 2.0])
def test_a_hand_that_waves_while_the_person_stands_is_named_unless_asked_for(clips, by_name, waves):
    stand = by_name["stand"]
    shoulder = clips.roles.joints["right_shoulder"]
    t = np.arange(stand.n_frames) / stand.fps
    angle = np.where((t > 1.5) & (t < 3.5), 0.6 * np.sin(2 * np.pi * waves * (t - 1.5)), 0.0)
    axis = np.column_stack([0 * t, 0 * t, angle])
    own = rot.multiply(stand.motion.rotations[:, shoulder], rot.from_rotvec(axis))
    waving = stand.with_local({shoulder: own})
    (fault,) = find_fidgeting(waving, clips.limits)
    assert "right hand" in fault.text
    assert fault.begin == pytest.approx(1.5, abs=0.3)
    assert fault.end == pytest.approx(3.5, abs=0.3)
    assert not fault.grave
    assert find_fidgeting(stand, clips.limits) == ()
    assert find_fidgeting(waving, clips.limits, [(1.0, 4.0)]) == ()


def test_a_jump_is_named_unless_something_asks_for_it(clips, by_name):
    stand = by_name["stand"]
    t = np.arange(stand.n_frames) / stand.fps
    air = np.clip(t - 2.0, 0.0, 0.5)
    lifted = np.column_stack([0 * t, 0.5 * 9.81 * air * (0.5 - air), 0 * t])
    posed = moved(stand, lifted)
    contacts = detect_contacts(posed, soles=clips.soles)
    (fault,) = find_jumps(posed, contacts, clips.limits)
    assert fault.begin == pytest.approx(2.0, abs=0.15)
    assert fault.value == pytest.approx(0.5, abs=0.15)
    assert not fault.grave
    assert find_jumps(posed, contacts, clips.limits, [(1.0, 3.0)]) == ()
    assert find_jumps(posed, contacts, replace(clips.limits, flight=0.5)) == ()
    run = moved(by_name["run_3"], np.zeros((by_name["run_3"].n_frames, 3)))
    assert find_jumps(run, detect_contacts(run, soles=clips.soles), clips.limits) == ()


@pytest.mark.parametrize("ends", [False, True])
def test_who_begins_or_ends_in_the_air_is_named(clips, by_name, ends):
    stand = by_name["stand"]
    t = np.arange(stand.n_frames) / stand.fps
    air = np.clip((t[-1] - t if ends else t) + 0.25, 0.0, 0.5)
    posed = moved(stand, np.column_stack([0 * t, 0.5 * 9.81 * air * (0.5 - air), 0 * t]))
    contacts = detect_contacts(posed, soles=clips.soles)
    (fault,) = find_cut_jumps(posed, contacts)
    assert fault.grave
    assert fault.value == pytest.approx(0.25, abs=0.1)
    assert (fault.begin > 0.0) == ends
    assert find_cut_jumps(posed, contacts, [(-1.0, 99.0)]) == ()
    for own in by_name.values():
        assert find_cut_jumps(own, detect_contacts(own, soles=clips.soles)) == ()


def test_a_joint_that_slips_for_a_frame_is_a_pop_where_frames_are_short(by_name):
    posed = by_name["walk_1.2"] if "walk_1.2" in by_name else next(iter(by_name.values()))
    joint = posed.roles.joints["left_hand"]
    for fps, wanted in ((120.0, 1), (30.0, 0)):
        motion = replace(posed.motion, frame_time=1 / fps)
        turned = motion.rotations.copy()
        turned[40, joint] = rot.multiply(turned[40, joint], rot.from_rotvec([0.0, 0.4, 0.0]))
        slips = replace(posed, motion=replace(motion, rotations=turned))
        found = find_pops(slips, ["a"] * posed.n_frames)
        assert len(found) == wanted
        assert all(f.begin == pytest.approx(40 / fps) and "'a'" in f.text for f in found)
        assert find_pops(replace(posed, motion=motion)) == ()


def test_a_hand_that_waves_on_the_way_is_a_gesture(clips, by_name):
    walk = by_name["walk_1.1"]
    shoulder = clips.roles.joints["right_shoulder"]
    t = np.arange(walk.n_frames) / walk.fps
    angle = np.where((t > 3.0) & (t < 5.0), 1.2 * np.sin(4 * np.pi * (t - 3.0)), 0.0)
    axis = np.column_stack([0 * t, 0 * t, angle])
    own = rot.multiply(walk.motion.rotations[:, shoulder], rot.from_rotvec(axis))
    waving = walk.with_local({shoulder: own})
    (fault,) = find_gestures(waving, clips.limits)
    assert "right hand" in fault.text
    assert fault.begin == pytest.approx(3.0, abs=0.4)
    assert fault.end == pytest.approx(5.0, abs=0.4)
    assert not fault.grave
    assert find_gestures(waving, clips.limits, [(2.0, 6.0)]) == ()


def test_turning_about_oneself_is_a_loop_unless_the_way_needs_it(clips, by_name):
    stand = by_name["stand"]
    t = np.arange(stand.n_frames) / stand.fps
    root = stand.motion.root_joint
    turn = rot.yaw(2 * np.pi * np.clip((t - 1.0) / 3.0, 0.0, 1.0))
    spun = stand.with_local({root: rot.multiply(turn, stand.motion.rotations[:, root])})
    (fault,) = find_loops(spun, [], clips.limits)
    assert fault.value == pytest.approx(360.0, abs=10.0)
    assert fault.begin == pytest.approx(1.0, abs=0.5)
    assert fault.end == pytest.approx(4.0, abs=0.5)
    assert not fault.grave
    here = [
        BodyConstraint(time=time, position=(0.0, 0.0), facing=facing)
        for time, facing in ((0.0, 0.0), (5.0, 180.0))
    ]
    assert find_loops(spun, here[:1], clips.limits)
    assert find_loops(spun, here, clips.limits) == ()
    assert find_loops(spun, [], clips.limits, [(2.0, 2.5)]) == ()


def test_a_loop_on_the_way_is_a_detour_and_the_curve_itself_is_none(by_name):
    a = BodyConstraint(time=0.0, position=(0.0, 0.0), facing=0.0)
    b = BodyConstraint(time=4.0, position=(0.0, 4.0), facing=0.0)
    stand = by_name["stand"].cut(0, 121)
    straight = direct_curve(a, b, 121)
    turn = np.linspace(0.0, 2 * np.pi, 121)
    loop = straight + 1.5 * np.column_stack([1 - np.cos(turn), np.sin(turn)])

    def along(way):
        offset = np.zeros((121, 3))
        offset[:, [0, 2]] = way - stand.hips[:, [0, 2]]
        return moved(stand, offset)

    assert find_detours(along(straight), [a, b]) == ()
    (fault,) = find_detours(along(loop), [a, b])
    length = np.linalg.norm(np.diff(loop, axis=0), axis=1).sum()
    assert fault.value == pytest.approx(length, rel=1e-3)
    assert "4.0 m would do" in fault.text
    assert fault.grave
    assert find_detours(along(loop), [a, b], [(1.0, 2.0)]) == ()


def test_the_direct_curve_leaves_and_arrives_as_asked():
    a = BodyConstraint(time=0, position=(1.0, 2.0), facing=90.0)
    b = BodyConstraint(time=3, position=(3.0, 5.0), facing=0.0)
    curve = direct_curve(a, b, 2001)
    assert np.allclose(curve[[0, -1]], [[1, 2], [3, 5]])
    first, last = curve[1] - curve[0], curve[-1] - curve[-2]
    assert np.arctan2(*first) == pytest.approx(np.pi / 2, abs=0.01)
    assert np.arctan2(*last) == pytest.approx(0.0, abs=0.01)


def test_limits_are_those_of_the_clips_together(clips, by_name):
    motions = list(by_name.values())
    whole = measure_limits(motions, clips.contacts)
    assert whole == clips.limits
    halves = [measure_limits(motions[k::2], clips.contacts[k::2]) for k in (0, 1)]
    assert whole.step == max(h.step for h in halves)
    assert whole.airborne == max(h.airborne for h in halves)
    k = list(by_name).index("stand")
    alone = measure_limits([motions[k]], [clips.contacts[k]])
    assert len(set(alone.change)) == 1  # what is not shown is judged by the rest


def test_two_frames_have_no_faults(clips, by_name):
    posed = by_name["walk_1.1"].cut(50, 52)
    contacts = detect_contacts(posed, soles=clips.soles)
    assert find_bursts(posed, clips.limits) == find_gait_switches(posed, clips.limits) == ()
    assert find_gliding(posed, contacts, clips.limits) == ()
    assert measure_limits([posed], [contacts]).step == 0.0


def test_captured_walks_and_runs_beside_the_others_have_no_problem(shared_data):
    names = ("walk_normal", "run_normal", "walk-turn-left_normal")
    files = [f for n in names for f in sorted(shared_data.glob(f"bandai_namco/*_{n}_*.bvh"))[:4]]
    own = analyse_clips(make_clip_set([load_motion(f) for f in files], 30.0))
    posed = [PosedMotion(motion, own.roles) for motion in own.clip_set.motions]
    for k, (motion, contacts) in enumerate(zip(posed, own.contacts, strict=True)):
        rest = [i for i in range(len(posed)) if i != k]
        others = measure_limits([posed[i] for i in rest], [own.contacts[i] for i in rest])
        found = (
            *find_bursts(motion, others),
            *find_gait_switches(motion, others),
            *find_floating(motion, contacts, others),
            *find_gliding(motion, contacts, others),
        )
        assert not any(f.grave for f in found)


@pytest.mark.parametrize(("degrees", "named"), [(10.0, False), (25.0, True)])
def test_a_knee_bent_deeper_than_in_the_clips_is_named_with_its_time(by_name, degrees, named):
    posed = by_name["walk_0.6"]
    (foot, hinge) = next(h for h in fit_hinges([posed]).items() if h[0] == "left_foot")
    shallow = replace(hinge, most=hinge.most - np.radians(degrees))
    faults = find_deep_bends(posed, {foot: shallow, "left_hand": shallow})
    assert bool(faults) == named
    deepest = hinge.flexion(posed).argmax() / posed.fps
    for fault in faults:
        assert (fault.kind, fault.grave) == ("deep bend", False)
        assert "left knee" in fault.text
        assert 15.0 < fault.value - fault.limit <= degrees + 1e-9
    assert not named or any(f.begin <= deepest <= f.end for f in faults)
    assert find_deep_bends(posed, {foot: hinge}) == ()
