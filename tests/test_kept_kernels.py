"""Compiled kernels that are kept on disk never outlive what they were compiled from."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import llvmlite.binding
import pytest
from numba.core import caching

import motionloom
from motionloom import compiling
from motionloom.compiling import _keeping as keeping

#: The file of the kernel, which never changes, by what it takes from the other file: that file
#: before and after, and the value of ``work()`` after.
CASES = {
    "a constant of another module": (
        "from other import PRESS\n@kernel\ndef work():\n    return 1 - PRESS\n",
        "PRESS = 0.25",
        "PRESS = 0.5",
        0.5,
    ),
    "an attribute of another module": (
        "import other\n@kernel\ndef work():\n    return 1 - other.PRESS\n",
        "PRESS = 0.25",
        "PRESS = 0.5",
        0.5,
    ),
    "the kind of a constant": (
        "from other import PRESS\n@kernel\ndef work():\n    return 1 / PRESS\n",
        "import numpy as np\nPRESS = np.float64(3.0)",
        "import numpy as np\nPRESS = np.float32(3.0)",
        pytest.approx(1 / 3, abs=1e-6),
    ),
    "a part of another module": (
        "from other import half\n@kernel\ndef work():\n    return half(8.0)\n",
        "from motionloom.compiling import part\n@part\ndef half(x):\n    return x / 2\n",
        "from motionloom.compiling import part\n@part\ndef half(x):\n    return x / 4\n",
        2.0,
    ),
    "the options of a part": (
        "from other import half\n@kernel\ndef work(x=0.0):\n    return half(x)\n",
        "from motionloom.compiling import full_kernel\n"
        "@full_kernel(error_model='python')\ndef half(x):\n    return 1 / (1 + x)\n",
        "from motionloom.compiling import full_kernel\n"
        "@full_kernel(error_model='numpy')\ndef half(x):\n    return 1 / (1 + x)\n",
        1.0,
    ),
    "what a part of another module reads": (
        "from other import half\n@kernel\ndef work():\n    return half(8.0)\n",
        "from motionloom.compiling import part\nBY = 2\n@part\ndef half(x):\n    return x / BY\n",
        "from motionloom.compiling import part\nBY = 4\n@part\ndef half(x):\n    return x / BY\n",
        2.0,
    ),
    "an array": (
        "from other import TABLE\n@kernel\ndef work():\n    return TABLE[1]\n",
        "import numpy as np\nTABLE = np.array([1.0, 2.0])",
        "import numpy as np\nTABLE = np.array([1.0, 3.0])",
        3.0,
    ),
    "a tuple of tuples": (
        "from other import TABLE\n@kernel\ndef work():\n    return TABLE[1][0]\n",
        "TABLE = ((1, 2), (3, 4))",
        "TABLE = ((1, 2), (5, 4))",
        5,
    ),
    "a dtype": (
        "import numpy as np\nfrom other import KIND\n"
        "@kernel\ndef work():\n    return np.full(1, 0.1, KIND)[0]\n",
        "import numpy as np\nKIND = np.dtype('f8')",
        "import numpy as np\nKIND = np.dtype('f4')",
        pytest.approx(0.1, rel=1e-6),
    ),
    "an enumeration": (
        "from other import Side\n@kernel\ndef work():\n    return Side.LEFT.value\n",
        "from enum import IntEnum\nclass Side(IntEnum):\n    LEFT = 1\n",
        "from enum import IntEnum\nclass Side(IntEnum):\n    LEFT = 2\n",
        2,
    ),
    "a named tuple that is made": (
        "from other import Pair\n@kernel\ndef work():\n    return Pair(1.0, 200.0).second\n",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'first second')",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'second first')",
        1.0,
    ),
    "fields of a named tuple that is given": (
        "@kernel\ndef look(pair):\n    return pair.second\n"
        "def work():\n    import other\n    return look(other.Pair(first=2, second=200.5))\n",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'first second')",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'second first')",
        200.5,
    ),
    "fields of one kind of a named tuple within a tuple": (
        "@kernel\ndef look(pairs):\n    return pairs[0].second\n"
        "def work():\n    import other\n    return look((other.Pair(first=2, second=200), 1))\n",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'first second')",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'second first')",
        200,
    ),
    "what a closure holds": (
        "from other import make\nwork = kernel(make(2))\n",
        "def make(by):\n    def work():\n        return by\n    return work\n",
        "def make(by):\n    by += 1\n    def work():\n        return by\n    return work\n",
        3,
    ),
}


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A function that writes two modules, imports them anew and gives the first."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def build(kernels: str, other: str):
        (tmp_path / "kernels.py").write_text("from motionloom.compiling import kernel\n" + kernels)
        (tmp_path / "other.py").write_text(other)
        for name in ("kernels", "other"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("kernels")

    yield build
    for name in ("kernels", "other"):
        sys.modules.pop(name, None)


def compiled_anew(module) -> bool:
    kernel = getattr(module, "look", module.work)
    return bool(sum(kernel.stats.cache_misses.values()))


@pytest.mark.parametrize("case", CASES)
def test_what_is_compiled_in_from_another_file_counts(case, house):
    kernels, before, after, value = CASES[case]
    first = house(kernels, before)
    old = first.work()
    assert compiled_anew(first)
    again = house(kernels, before)
    assert (again.work(), compiled_anew(again)) == (old, False)
    changed = house(kernels, after)
    assert changed.work() == value
    assert compiled_anew(changed)


def test_what_does_not_change_the_result_compiles_nothing(house):
    kernels = "from other import half\n@kernel\ndef work():\n    return half(8.0)\n"
    other = "from motionloom.compiling import part\n@part\ndef half(x):\n    return x / 2\n"
    assert house(kernels, other).work() == 4.0
    more = house(kernels, "# Said.\n" + other + "UNUSED = 3\n")
    assert (more.work(), compiled_anew(more)) == (4.0, False)


@pytest.fixture
def shipped(house, tmp_path, monkeypatch):
    """A kernel that another process compiled as shipped ones are; nothing else is kept."""
    name, features = keeping.LEVEL
    surroundings = os.environ | {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
    surroundings |= {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    house(KERNELS, "PRESS = 0.25")
    code = "import kernels; kernels.work()"
    subprocess.run([sys.executable, "-c", code], env=surroundings, check=True)
    kept = [*(tmp_path / "__pycache__").glob("*.nb?")]
    assert len(kept) == 2
    (tmp_path / "_kernels").mkdir()
    for file in kept:
        file.rename(tmp_path / "_kernels" / file.name)
    monkeypatch.setattr(keeping, "SHIPPED", tmp_path / "_kernels")
    keeping._runs_shipped.cache_clear()
    yield keeping
    keeping._runs_shipped.cache_clear()


def _lacks_what_shipped_kernels_need() -> bool:
    features = llvmlite.binding.get_host_cpu_features()
    return not all(features.get(name) for name in keeping._NEEDED)


@pytest.mark.skipif(_lacks_what_shipped_kernels_need(), reason="this machine is below level v3")
@pytest.mark.parametrize("writable", [True, False])
def test_shipped_kernels_compile_nothing(house, shipped, monkeypatch, writable):
    if not writable:
        monkeypatch.setattr(caching.CompileResultCacheImpl, "_locator_classes", [])
    module = house(KERNELS, "PRESS = 0.25")
    assert (module.work(), compiled_anew(module)) == (0.75, False)
    changed = house(KERNELS, "PRESS = 0.5")
    assert (changed.work(), compiled_anew(changed)) == (0.5, True)


def test_a_machine_below_their_level_compiles_for_itself(house, shipped, monkeypatch):
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", dict)
    module = house(KERNELS, "PRESS = 0.25")
    assert (module.work(), compiled_anew(module)) == (0.75, True)


KERNELS = "from other import PRESS\n@kernel\ndef work():\n    return 1 - PRESS\n"


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [b"", b"\x80", b"no pickle at all", b"half"])
def test_what_is_damaged_on_disk_is_compiled_again(suffix, damage, house, tmp_path):
    house(KERNELS, "PRESS = 0.25").work()
    (kept,) = tmp_path.rglob(f"*.{suffix}")
    content = kept.read_bytes()
    kept.write_bytes(content[: len(content) // 2] if damage == b"half" else damage)
    again = house(KERNELS, "PRESS = 0.25")
    assert (again.work(), compiled_anew(again)) == (0.75, True)
    mended = house(KERNELS, "PRESS = 0.25")
    assert (mended.work(), compiled_anew(mended)) == (0.75, False)


def test_data_of_another_version_beside_an_index_of_this_one_is_not_used(house, tmp_path):
    """As when two processes of two versions write in turn."""
    house(KERNELS, "PRESS = 0.25").work()
    (data,) = tmp_path.rglob("*.nbc")
    old = data.read_bytes()
    house(KERNELS, "PRESS = 0.5").work()
    data.write_bytes(old)
    assert house(KERNELS, "PRESS = 0.5").work() == 0.5


def test_who_has_no_home_and_may_not_write_beside_the_package_compiles_every_time(
    house, tmp_path, monkeypatch
):
    from numba.core import caching

    def refuse(self):
        raise PermissionError

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(caching.InTreeCacheLocator, "ensure_cache_path", refuse)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # nobody knows where it is
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for press in (0.25, 0.5):
        module = house(KERNELS, f"PRESS = {press}")
        assert module.work() == 1 - press
    assert not list(elsewhere.iterdir())
    assert not list(tmp_path.rglob("*.nb?"))


def test_a_package_that_may_not_be_written_to_is_kept_in_the_folder_of_each_user(
    house, tmp_path, monkeypatch
):
    from numba.core import caching

    def refuse(self):
        raise PermissionError

    monkeypatch.setattr(caching.InTreeCacheLocator, "ensure_cache_path", refuse)
    for press in (0.25, 0.5):
        for user in ("anna", "ben"):
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / user))
            module = house(KERNELS, f"PRESS = {press}")
            assert (module.work(), compiled_anew(module)) == (1 - press, True)
            again = house(KERNELS, f"PRESS = {press}")
            assert (again.work(), compiled_anew(again)) == (1 - press, False)
    assert {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*.nbi")} == {
        "anna",
        "ben",
    }


def test_a_disk_that_is_full_is_no_failure(house, monkeypatch):
    from motionloom.compiling import _keeping as keeping

    def full(self, name, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeping._KernelFile, "_save_data", full)
    assert house(KERNELS, "PRESS = 0.25").work() == 0.75


def test_no_function_is_compiled_past_the_stamp():
    """Whatever numba compiles and keeps, it keeps by motionloom.compiling."""
    sources = Path(motionloom.__file__).parent
    own = Path(compiling.__file__).parent
    direct = re.compile(r"\b(njit|jit|vectorize|guvectorize|cfunc|stencil|jitclass)\b\(?")
    found = [
        f"{path.relative_to(sources)}: {line.strip()}"
        for path in sources.rglob("*.py")
        if own not in path.parents
        for line in path.read_text(encoding="utf-8").splitlines()
        if "numba" in line and direct.search(line)
    ]
    assert found == []


def wheel(folder: Path, version: str, press: float) -> Path:
    """A wheel of a package whose kernel takes a constant from another of its modules."""
    files = {
        "tinyloom/__init__.py": "",
        "tinyloom/obstacles.py": f"PRESS = {press}\n",
        "tinyloom/kernels.py": "from motionloom.compiling import kernel\n"
        "from tinyloom.obstacles import PRESS\n"
        "@kernel\ndef clearance():\n    return 1 - PRESS\n",
        "tinyloom/__main__.py": "from tinyloom.kernels import clearance\n"
        "print(clearance(), sum(clearance.stats.cache_misses.values()))\n",
        f"tinyloom-{version}.dist-info/METADATA": "Metadata-Version: 2.1\nName: tinyloom\n"
        f"Version: {version}\n",
        f"tinyloom-{version}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = f"tinyloom-{version}.dist-info/RECORD"
    path = folder / f"tinyloom-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr(record, "".join(f"{name},,\n" for name in (*files, record)))
    return path


@pytest.mark.slow
def test_an_upgrade_by_pip_compiles_what_the_new_version_means(tmp_path):
    """Two wheels, installed one after the other; one of two users has a folder of their own."""
    home = tmp_path / "home"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = next(home.glob("[bS]*/python*"))
    beside = [str(Path(motionloom.__file__).parents[1]), *(p for p in sys.path if "-packages" in p)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(beside), "PIP_NO_INDEX": "1"}

    def run(user: str) -> str:
        cache = {"NUMBA_CACHE_DIR": str(tmp_path / user)} if user else {}
        done = subprocess.run(
            [python, "-m", "tinyloom"],
            env={**environment, **cache},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    for version, press, cleared in (("1.0", 0.02, "0.98"), ("1.1", 0.5, "0.5")):
        built = wheel(tmp_path, version, press)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "-U"]
        subprocess.run([*pip, str(built)], check=True, capture_output=True, env=environment)
        for user in ("", "anna"):  # beside the package, and where this user keeps it
            assert run(user) == f"{cleared} 1"
            assert run(user) == f"{cleared} 0"
