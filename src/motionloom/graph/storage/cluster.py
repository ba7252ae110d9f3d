"""Where rows of transitions are computed: here, or on the workers of a Dask cluster; the results
are the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from motionloom.errors import InvalidInputError, MissingExtraError
from motionloom.graph.storage.rows import FrameTable, Row, RowJob, compute_row

if TYPE_CHECKING:
    from distributed import Client

#: Seconds within which a scheduler has to answer.
TIMEOUT = 10
#: Packages that must be the same on the cluster as here; others might find other transitions, or
#: not be understood.
SAME = ("motionloom", "numpy", "numba", "dask", "distributed")


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
        yield from _run_on(table, jobs, cluster)


def _run_on(table: FrameTable, jobs: Sequence[RowJob], address: str) -> Iterator[Row]:
    client = _connect(address)
    from distributed import KilledWorker, as_completed

    with client:
        versions: Any = client.get_versions(packages=SAME)
        check_versions(versions, address)
        try:
            # The table travels to every worker once, not with every job.
            there = client.scatter(table, broadcast=True)
            # Long rows first, so that no worker is left with one when the others are done.
            ordered = sorted(jobs, key=lambda job: len(job.partners), reverse=True)
            futures = [client.submit(compute_row, there, job, pure=False) for job in ordered]
            for future in as_completed(futures, loop=client.loop):
                row = future.result()
                future.release()
                yield row
        except (KilledWorker, CancelledError, OSError) as error:
            raise InvalidInputError(
                f"cluster {address}: its scheduler or workers went away ({type(error).__name__});"
                " what was finished is kept, so start them, with more memory where they ran out of"
                " it, and build again"
            ) from None


def _connect(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("dask", "cluster", "computing on a cluster") from None
    try:
        return Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InvalidInputError(
            f"cluster {address}: no Dask scheduler answers there ({type(error).__name__}); start"
            " one with 'dask scheduler' and give its address, such as tcp://host:8786"
        ) from None


def check_versions(found: Mapping[str, Any], address: str) -> None:
    """Refuse a cluster that has no workers, or on which other versions of packages run than here.

    Parameters
    ----------
    found : mapping
        As ``distributed.Client.get_versions`` gives it.
    address : str
        Of the scheduler, for the message.

    Raises
    ------
    InvalidInputError
        With the first machine and package that differ.
    """
    if not found["workers"]:
        raise InvalidInputError(
            f"cluster {address}: the scheduler has no workers; start some with 'dask worker'"
        )
    mine = _packages(found["client"])
    machines = {
        "the scheduler": found["scheduler"],
        **{f"worker {a}": w for a, w in found["workers"].items()},
    }
    for machine, info in machines.items():
        for package, version in _packages(info).items():
            if version != mine[package]:
                runs = f"runs {package} {version}" if version else f"has no {package}"
                raise InvalidInputError(
                    f"cluster {address}: {machine} {runs}, here it is {mine[package]}; install the"
                    " same there"
                )


def _packages(info: Mapping[str, Any]) -> dict[str, str | None]:
    """Versions that count, of Python the first two numbers."""
    packages = info["packages"]
    return {
        "python": ".".join(packages["python"].split(".")[:2]),
        **{name: packages.get(name) for name in SAME},
    }
