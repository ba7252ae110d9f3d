"""Learning on a Dask cluster gives what learning here gives."""

import numpy as np
import pytest

from motionloom.inbetween import InbetweenOptions, fit_inbetween
from motionloom.inbetween.store import fit_kept, parts_of

distributed = pytest.importorskip("distributed", reason="needs dask")


def test_a_cluster_learns_the_same(walks, tmp_path):
    options = InbetweenOptions(lengths=(5, 10), samples=60, landmarks=60)
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        found = fit_kept(
            walks,
            options,
            parts_of(tmp_path / "model.npz"),
            cluster=cluster.scheduler_address,
        )
    wanted = fit_inbetween(walks, options)
    for a, b in zip(found.bands, wanted.bands, strict=True):
        np.testing.assert_array_equal(a.landmarks, b.landmarks)
        for half, coefficients in b.coefficients.items():
            found_values = a.coefficients[half].values
            np.testing.assert_allclose(found_values, coefficients.values, atol=1e-4)
