"""Where rows of splices are computed: here, or on the workers of a Dask cluster; the results are the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from motionloom.errors import InvalidInputError, MissingExtraError
from motionloom.graph.rows import FrameTable, Row, RowJob, compute_row

#: Seconds within which a scheduler has to answer.
TIMEOUT = 10


def run_rows(table: FrameTable, jobs: Sequence[RowJob], cluster: str | None = None) -> Iterator[Row]:
    """Compute rows, in any order.

    Parameters
    ----------
    table : FrameTable
    jobs : sequence of RowJob
    cluster : str, optional
        Address of a Dask scheduler, such as ``tcp://host:8786``; computed here when not given.

    Raises
    ------
    MissingExtraError
        When a cluster is named and Dask is not installed.
    InvalidInputError
        When no scheduler answers there.
    """
    if cluster is None:
        yield from (compute_row(table, job) for job in jobs)
    elif jobs:
        yield from _run_on(table, jobs, cluster)


def _run_on(table: FrameTable, jobs: Sequence[RowJob], address: str) -> Iterator[Row]:
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise MissingExtraError("dask", "cluster", "computing on a cluster") from None
    try:
        client = Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InvalidInputError(
            f"--cluster {address}: no Dask scheduler answers there ({type(error).__name__}); start one with "
            "'dask scheduler' and give its address, such as tcp://host:8786"
        ) from None
    with client:
        if not client.scheduler_info()["workers"]:
            raise InvalidInputError(f"--cluster {address}: the scheduler has no workers; start some with 'dask worker'")
        # The table travels to every worker once, not with every job.
        there = client.scatter(table, broadcast=True)
        futures = [client.submit(compute_row, there, job, pure=False) for job in jobs]
        for future in as_completed(futures, loop=client.loop):
            row = future.result()
            future.release()
            yield row
