"""The default method: leg after leg by meeting in the middle, then annealing of the whole; rounds
of growing size.
"""

from __future__ import annotations

from dataclasses import replace

from motionloom.graph.searching.adjacency import draws
from motionloom.graph.searching.annealing import (
    HOT,
    WARM,
    anneal_tail,
    anneal_walk,
    is_complete,
    random_walk,
)
from motionloom.graph.searching.legs import LegSearch, cut_walk
from motionloom.graph.searching.problem import Leg, Problem, without_pins
from motionloom.graph.searching.results import Method, SearchOptions
from motionloom.graph.searching.state import Stream, Walk, keep_minimum

#: Half walks each way in a generation of the first two rounds; every two rounds have `GROWTH` times
#: more, up to `LARGEST`.
FIRST, GROWTH, LARGEST = 250, 2, 8000
#: Iterations of annealing for every half walk of a generation: of a leg that was found, and of the
#: whole motion.
LEG_SHARE, WHOLE_SHARE = 0.25, 8
#: Walks of the beam that are annealed as a whole.
POLISHED = 3
#: After so many rounds, every other round grows the best motion so far anew from a random moment
#: on, so many times.
FRESH, REGROWN = 3, 4
#: Rounds that may fail at a hard constraint before it is given up.
FAILURES = 4
#: Iterations of the annealing that finds something to show at once.
QUICK = 2000


def step(problem: Problem, options: SearchOptions, stream: Stream) -> None:
    """Do the next piece of work, one leg or one annealing of the whole, and move on.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        Its `beam` says how many walks are kept at the end of a leg.
    stream : Stream
        Changed in place; its iterations are counted.
    """
    problem = without_pins(problem, stream.given_up)
    # Something complete to show comes first, however short the budget is.
    if stream.round < 0:
        anneal_whole(problem, stream, random_walk(problem, stream.rng, problem.span), QUICK, HOT)
        stream.round = 0
        return
    size = _size(stream.round)
    if _is_regrowing(stream):
        _regrow(problem, options, stream, size)
        stream.task += 1
        if stream.task == REGROWN:
            _next_round(stream)
        return
    if stream.segment < len(problem.legs):
        beam = stream.beam if stream.segment else []
        stream.beam = grow(problem, options, stream, problem.legs[stream.segment], beam, size)
        stream.segment += 1
        if not stream.beam:
            # The last frame of the leg that failed tells `give_up` which pin is likely to blame.
            stream.failures += 1
            stream.stuck = problem.legs[stream.segment - 1].last
            if stream.failures == FAILURES and not stream.minima:
                give_up(problem, stream)
            else:
                _next_round(stream)
        return
    anneal_whole(problem, stream, stream.beam[stream.task], int(WHOLE_SHARE * size), WARM)
    stream.task += 1
    if stream.task >= min(len(stream.beam), POLISHED):
        _next_round(stream)


def _is_regrowing(stream: Stream) -> bool:
    """Whether the round of a stream grows the best motion so far anew.

    Odd rounds do, from round `FRESH` on, once there is a motion.
    """
    return (
        stream.round >= FRESH
        and stream.round % 2 == 1
        and bool(stream.minima)
        and stream.segment == 0
    )


def _fits(problem: Problem, options: SearchOptions, stream: Stream) -> bool:
    """Whether the walks of a stream are as far as what it is to do next needs."""
    legs = without_pins(problem, stream.given_up).legs
    beam = stream.beam
    if len(beam) > options.beam or stream.segment > len(legs):
        return False
    done = stream.segment == len(legs) > 0
    if stream.task >= (min(len(beam), POLISHED) if done else _most_tasks(stream)):
        return False
    if stream.segment == 0:
        return True
    until = problem.until(legs[stream.segment - 1].last)
    return bool(beam) and stream.round >= 0 and all(is_complete(w, problem, until) for w in beam)


def _most_tasks(stream: Stream) -> int:
    """Tasks before a leg is done: every other round is of such alone."""
    return REGROWN if _is_regrowing(stream) else 1


def _size(round_: int) -> int:
    """Half walks each way in a generation: more in every first round, then in every other."""
    doublings = round_ if round_ < FRESH else FRESH - 1 + (round_ - FRESH + 1) // 2
    # The exponent is bounded before the power: rounds go on for ever, integers would too.
    return int(min(FIRST * GROWTH ** min(doublings, 16), LARGEST))


def give_up(problem: Problem, stream: Stream) -> bool:
    """Leave out the next pin after the last frame that was reached; say whether there was one.

    Parameters
    ----------
    problem : Problem
        Pins that were given up before do not matter.
    stream : Stream
        Changed in place; it begins again with its first round.

    Returns
    -------
    bool
        False when no pin is left.
    """
    problem = without_pins(problem, stream.given_up)
    left = problem.pins[problem.pins[:, 0] >= stream.stuck, 0]
    left = left if len(left) else problem.pins[:, 0]
    stream.given_up.extend(int(n) for n in left[:1])
    stream.round = stream.segment = stream.task = stream.failures = 0
    return len(left) > 0


def _next_round(stream: Stream) -> None:
    stream.round += 1
    stream.segment = stream.task = 0
    stream.beam = []


def grow(
    problem: Problem,
    options: SearchOptions,
    stream: Stream,
    leg: Leg,
    beam: list[Walk],
    size: int,
    known: Walk | None = None,
) -> list[Walk]:
    """Bring walks to the end of a leg.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    options : SearchOptions
        Its `beam` says how many walks are kept.
    stream : Stream
        Its random numbers are advanced and its iterations counted.
    leg : Leg
        Of the problem.
    beam : list of Walk
        Walks to the end of the leg before, best first; none at the first leg.
    size : int
        Half walks each way in a generation.
    known : Walk, optional
        Part of every generation.

    Returns
    -------
    list of Walk
        Best first; none where the leg could not be closed.
    """
    if beam and not leg.placed and leg.frame < 0:  # nothing to meet
        return _wander(problem, stream, leg, beam, size)
    search = LegSearch(problem, leg, beam, stream.rng, size, known)
    effort = int(LEG_SHARE * size)
    found = []
    for walk, root in search.run()[: options.beam]:
        if beam:
            tail = walk.steps[len(beam[root].steps) :]
            # Only what is new: the walk before it has been annealed in the leg before.
            better = anneal_tail(problem, stream.rng, beam[root], leg.first, leg.last, tail, effort)
        else:
            better = anneal_walk(problem, stream.rng, problem.until(leg.last), walk, effort, WARM)
        # Annealing may lose a walk that was complete; then it stays as it was joined.
        found.append(better or walk)
        stream.iterations += effort
    stream.iterations += search.iterations
    if not found and leg.frame < 0:  # far out of reach: as near as can be
        return _wander(problem, stream, leg, beam, size)
    return sorted(found, key=lambda w: w.score)


def _regrow(problem: Problem, options: SearchOptions, stream: Stream, size: int) -> None:
    """Grow the best motion so far anew from a random moment on, and keep what comes of it."""
    known = stream.minima[0]
    length = problem.legs[-1].last - problem.span.first_frame
    moment = problem.span.first_frame + int(draws(stream.rng, length, 1)[0])
    beam: list[Walk] = []
    for leg in problem.legs:
        if leg.last <= moment:
            continue
        # The moment lies in this leg: it is grown from there on only.
        if not beam and leg.first < moment:
            leg = replace(leg, first=moment)
        if not beam and leg.first > problem.span.first_frame:
            before = cut_walk(problem, known, leg.first)
            if before is None:  # the moment is between two pieces
                stream.iterations += size
                return
            beam = [before]
        beam = grow(problem, options, stream, leg, beam, size, known)
        if not beam:
            return
    anneal_whole(problem, stream, beam[0], int(WHOLE_SHARE * size), WARM)


def _wander(problem: Problem, stream: Stream, leg: Leg, beam: list[Walk], size: int) -> list[Walk]:
    """Bring the beam to the end of a leg by annealing alone."""
    tails = [anneal_tail(problem, stream.rng, w, leg.first, leg.last, None, size) for w in beam]
    stream.iterations += size * len(beam)
    return sorted((w for w in tails if w is not None), key=lambda w: w.score)


def anneal_whole(problem: Problem, stream: Stream, walk: Walk, effort: int, hot: float) -> None:
    """Anneal a walk of the whole motion and keep it as a local minimum.

    Parameters
    ----------
    problem : Problem
        The graph and what is asked for.
    stream : Stream
        Changed in place: its iterations, and its minima where a complete walk was met.
    walk : Walk
        Where annealing begins; it is not changed.
    effort : int
        Mutations tried.
    hot : float
        Temperature at the beginning, in units of the score.
    """
    found = anneal_walk(problem, stream.rng, problem.span, walk, effort, hot)
    stream.iterations += effort
    if found is not None:
        keep_minimum(stream, found)


#: As the registry knows it.
MEET = Method(step, _fits)
