"""Whether transitions out of a file lead where those between some clips can lead; compiled."""

from __future__ import annotations

from motionloom.compiling import kernel


@kernel
def transitions_fit(
    source, target, pair_ptr, starts, min_piece, min_jump
):  # pragma: no cover - compiled
    """Whether ``pair_ptr`` shares out all transitions among the pairs of clips, and each keeps its
    pair's rules.
    """
    n_clips = len(starts) - 1
    if pair_ptr[0] != 0 or pair_ptr[-1] != len(source):
        return False
    for pair in range(n_clips * n_clips):
        if pair_ptr[pair] > pair_ptr[pair + 1]:
            return False
    for s in range(n_clips):
        leaves = starts[s] + min_piece
        end = starts[s + 1]
        for t in range(n_clips):
            begin = starts[t]
            enters = starts[t + 1] - min_piece
            low = pair_ptr[s * n_clips + t]
            high = pair_ptr[s * n_clips + t + 1]
            wrong = 0
            for e in range(low, high):
                wrong += (
                    source[e] < leaves
                    or source[e] >= end
                    or target[e] < begin
                    or target[e] > enters
                )
            if s == t:
                for e in range(low, high):
                    wrong += abs(source[e] - target[e]) < min_jump
            if wrong > 0:
                return False
    return True


@kernel
def runs_fit(
    source, target, cost, ends, n_from, n_to, min_piece, min_jump
):  # pragma: no cover - compiled
    """Whether runs of transitions from one clip to another keep to the rules, ordered by source,
    then target.

    Run k is ``ends[k] <= e < ends[k + 1]`` and leads from a clip of ``n_from[k]`` frames to one of
    ``n_to[k]``, where `n_from` is negative to nowhere in particular; `min_jump` counts where
    ``min_jump[k]`` is above 0.
    """
    for k in range(len(ends) - 1):
        if n_from[k] < 0:
            continue
        for e in range(ends[k], ends[k + 1]):
            i = source[e]
            j = target[e]
            if not (
                min_piece <= i < n_from[k] and 0 <= j <= n_to[k] - min_piece and 0 <= cost[e] <= 1
            ):
                return False
            if abs(i - j) < min_jump[k]:
                return False
            if e > ends[k] and (i < source[e - 1] or (i == source[e - 1] and j <= target[e - 1])):
                return False
    return True
