"""The client in the package is built from the sources beside it, and goes with the wheel."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "client"
BUNDLE = ROOT / "src" / "motionloom" / "view" / "client"
#: What only tests of what is installed lack.
needs_sources = pytest.mark.skipif(not CLIENT.is_dir(), reason="no sources of the client here")


@pytest.fixture(scope="module")
def facts() -> dict:
    return json.loads((BUNDLE / "bundle.json").read_text())


def test_the_files_are_those_that_were_built(facts):
    assert {path.name for path in BUNDLE.iterdir()} == {*facts["files"], "bundle.json"}
    for name, digest in facts["files"].items():
        assert hashlib.sha256((BUNDLE / name).read_bytes()).hexdigest() == digest, name


@needs_sources
def test_it_was_built_from_these_sources(facts):
    """Else run ``npm ci && npm run build`` in client/."""
    hashed = hashlib.sha256()
    sources = [path for path in (CLIENT / "src").rglob("*") if path.is_file()]
    names = ("NOTICE.txt", "build.mjs", "package-lock.json", "package.json")
    for name in sorted(
        path.relative_to(CLIENT).as_posix() for path in (*sources, *(CLIENT / n for n in names))
    ):
        hashed.update(f"{name}\n".encode())
        hashed.update((CLIENT / name).read_bytes())
    assert hashed.hexdigest() == facts["source_sha256"]


def test_it_may_lie_in_a_page():
    """Nothing in the script or the styles can end the element that they stand in."""
    for name in ("studio.js", "style.css"):
        text = (BUNDLE / name).read_text("utf-8")
        assert "</script" not in text.lower()
        assert "</style" not in text.lower()
        assert "<!--" not in text


def test_it_asks_no_other_machine():
    text = (BUNDLE / "index.html").read_text("utf-8") + (BUNDLE / "style.css").read_text("utf-8")
    assert "//" not in text.replace("<!doctype html>", "")


def test_licences_of_what_is_inside_go_along():
    notice = (BUNDLE / "NOTICE.txt").read_text("utf-8")
    assert "three.js" in notice
    assert "msgpack" in notice
    assert "MIT License" in notice


@needs_sources
def test_the_wheel_takes_it_and_the_source_distribution_the_sources():
    """Hatch takes what git does not ignore: the bundle lies in the package, the sources beside."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["packages"] == ["src/motionloom"]
    assert "sdist" not in build["targets"] or "client" in str(build["targets"]["sdist"])
    ignored = (ROOT / ".gitignore").read_text().split()
    assert "node_modules/" in ignored
    assert not {"client/", "*.js", "*.css"} & set(ignored)


@needs_sources
@pytest.mark.slow
def test_building_it_again_gives_the_same_bytes(tmp_path, facts):
    if shutil.which("npm") is None or not (CLIENT / "node_modules").is_dir():
        pytest.skip("no npm, or the client's packages are not installed (npm ci in client/)")
    place = tmp_path / "built"
    done = subprocess.run(
        ["npm", "run", "--silent", "build"],
        cwd=CLIENT,
        env={**os.environ, "MOTIONLOOM_BUNDLE": str(place)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((place / "bundle.json").read_text()) == facts
