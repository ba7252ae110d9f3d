"""Work shared by the workers of a Dask cluster; the results are the same as here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from motionloom.errors import InvalidInputError, MissingExtraError

T = TypeVar("T")
J = TypeVar("J")
R = TypeVar("R")
#: Seconds within which a scheduler has to answer.
TIMEOUT = 10
#: Packages that must be the same on the cluster as here; others might give other results, or not be
#: understood.
SAME = ("motionloom", "numpy", "numba", "dask", "distributed")


def run_on_cluster(
    work: Callable[[T, J], R],
    table: T,
    jobs: Sequence[J],
    address: str,
    lost: str = "start them again",
) -> Iterator[R]:
    """Do jobs on the workers of a cluster, in any order.

    Parameters
    ----------
    work : callable
        Does one job, given what all jobs share and the job.
    table : object
        What all jobs share; it travels to every worker once.
    jobs : sequence
        The longest first, so that no worker is left with one when the others are done.
    address : str
        Of a Dask scheduler, such as ``tcp://host:8786``.
    lost : str
        What to do when the cluster is lost, for the message.

    Returns
    -------
    iterator
        Each result as soon as it is known.

    Raises
    ------
    MissingExtraError
        When Dask is not installed.
    InvalidInputError
        When no scheduler answers there, it has no workers, other versions of packages run there, or
        it is lost.
    """
    client = _connect(address)
    from distributed import KilledWorker, as_completed

    with client:
        versions: Any = client.get_versions(packages=SAME)
        check_versions(versions, address)
        try:
            there = client.scatter(table, broadcast=True)
            futures = [client.submit(work, there, job, pure=False) for job in jobs]
            for future in as_completed(futures, loop=client.loop):
                result = future.result()
                future.release()
                yield result
        except (KilledWorker, CancelledError, OSError) as error:
            raise InvalidInputError(
                f"cluster {address}: its scheduler or workers went away ({type(error).__name__});"
                f" {lost}"
            ) from None


def _connect(address: str) -> Any:
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
    workers = {f"worker {address}": info for address, info in found["workers"].items()}
    for machine, info in {"the scheduler": found["scheduler"], **workers}.items():
        for package, version in _packages(info).items():
            if version != mine[package]:
                runs = f"runs {package} {version}" if version else f"has no {package}"
                raise InvalidInputError(
                    f"cluster {address}: {machine} {runs}, here it is {mine[package]}; install the"
                    " same there"
                )


def _packages(info: Mapping[str, Any]) -> dict[str, str | None]:
    """Versions that count, of Python the first two numbers."""
    known = {name: info["packages"].get(name) for name in SAME}
    return {"python": ".".join(info["packages"]["python"].split(".")[:2]), **known}
