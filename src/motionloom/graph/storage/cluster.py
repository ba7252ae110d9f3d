"""Where rows of transitions are computed: here, or on the workers of a Dask cluster; the results
are the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from motionloom.clusters import run_on_cluster
from motionloom.graph.storage.rows import FrameTable, Row, RowJob, compute_row


def run_rows(
    table: FrameTable, jobs: Sequence[RowJob], cluster: str | None = None
) -> Iterator[Row]:
    """Compute rows, in any order.

    Parameters
    ----------
    table : FrameTable
        What the transitions follow from; it travels to every worker once.
    jobs : sequence of RowJob
        One for each row.
    cluster : str, optional
        Address of a Dask scheduler, such as ``tcp://host:8786``; computed here when not given.

    Returns
    -------
    iterator of Row
        Each row as soon as it is known.

    Raises
    ------
    MissingExtraError
        When a cluster is named and Dask is not installed.
    InvalidInputError
        When no scheduler answers there, it has no workers, other versions of packages run there, or
        it is lost.
    """
    if cluster is None:
        yield from (compute_row(table, job) for job in jobs)
    elif jobs:
        # Long rows first, so that no worker is left with one when the others are done.
        ordered = sorted(jobs, key=lambda job: len(job.partners), reverse=True)
        lost = (
            "what was finished is kept, so start them, with more memory where they ran out of it,"
            " and build again"
        )
        yield from run_on_cluster(compute_row, table, ordered, cluster, lost)
