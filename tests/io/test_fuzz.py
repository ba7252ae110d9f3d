"""Damaged files end in an error of ours or in a motion; evaluation/benchmarks/fuzz_readers.py runs
many more, with limits.
"""

from collections import Counter

import numpy as np
import pytest
from fuzzing import make_cases, try_mutant
from mutations import MUTATIONS, mutate

from motionloom.io.registry import FORMATS

MUTANTS = 150
#: Damaged binary USD makes its library ask for memory, which takes long.
SLOW = {".usdc": 30, ".usd": 10}


@pytest.mark.parametrize("suffix", [f.suffix for f in FORMATS])
def test_mutated_files_are_read_or_refused(suffix, tmp_path):
    case = make_cases(tmp_path)[suffix]
    outcomes = Counter(
        try_mutant(case, number, 0, tmp_path) for number in range(SLOW.get(suffix, MUTANTS))
    )
    assert set(outcomes) <= {"read", "refused"}, outcomes
    assert outcomes["refused"] > 0  # the damage was real


def test_mutations_are_seeded_and_change_something():
    data = "\n".join(f"{i} {i / 7:.3f} -3e5 word" for i in range(100)).encode()
    for damage in MUTATIONS:
        once, again = (damage(data, np.random.default_rng(5)) for _ in range(2))
        assert once == again != data, damage
    assert len({mutate(data, np.random.default_rng(i)) for i in range(50)}) > 45
