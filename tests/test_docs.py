"""Every command and every Python block of the documents runs as it is written."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

import motionloom
from motionloom.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
#: Pages about the project itself, whose commands are for a checkout: only their form and links are
#: tested.
OTHERS = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "CHANGELOG.md",
    ROOT / "evaluation" / "README.md",
]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
#: Installing is what .ci/run does, in a fresh virtual environment; here its form is checked and the
#: rest is run.
_INSTALL = re.compile(r'^python -m pip install "\.\[(all|dev)\]" && ')
#: A command that Bash only has to split into words; what is not met may be of no matter.
_COMMAND = re.compile(r"(motionloom [^|<>;&`$#]*)( \|\| true)?")

#: What Bash expands besides what `_COMMAND` leaves out.
_EXPANDED = re.compile(r"[*?\[\]{}~!\\]")

#: Blocks, counted from 0, that need nothing but the demo: with each a test of its own begins.
BEGIN = {
    "docs/reference/command-line.md": range(100),
    "docs/reference/evaluation.md": range(100),
    "docs/how-to/poses.md": (3, 4),
}

#: What the fixture `demo_folder` has run, so that pages that begin with it need not wait for it
#: again.
DEMO = "motionloom demo -o demo"


@dataclass(frozen=True)
class Block:
    """Code of a page, with the line it begins at."""

    language: str
    code: str
    line: int


def blocks_of(page):
    text = page.read_text()
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in _BLOCK.finditer(text)]


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def run_shell(block, page, folder):
    """Run a block; commands of motionloom run in this process, which has all loaded."""
    lines = [_INSTALL.sub("", line) for line in block.code.replace("\\\n", " ").splitlines()]
    lines = [line for line in lines if line != DEMO and not line.startswith("python -m pytest")]
    assert "pip install" not in "\n".join(lines), (
        f"{name_of(page)}:{block.line}: an install line of unknown form"
    )
    where, script = f"{name_of(page)}:{block.line}", []
    for line in lines:
        command = _COMMAND.fullmatch(line)
        if not command:
            script.append(line)
            continue
        run_bash(script, where, folder)
        script = []
        words = words_of(command[1], where, folder)[1:]
        # A search that is cut so short may miss something: then the motion is written and the exit
        # code is 1.
        assert main(words) in ((0, 1) if words[0] == "synthesize" else (0,)), f"{where}: {line}"
    run_bash(script, where, folder)


def anchors_of(page):
    """What links may point at: headings, as hosts of Git repositories make anchors of them, and
    anchors of our own.
    """
    text = _BLOCK.sub("", page.read_text())
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
    return made | set(re.findall(r'<a id="([^"]+)"', text))


def words_of(command, where, folder):
    """A command as Bash splits it; what has nothing to expand is split here, which is quicker."""
    if not _EXPANDED.search(command):
        return shlex.split(command)
    return run_bash([f"printf '%s\\0' {command}"], where, folder).split("\0")[:-1]


def run_bash(lines, where, folder):
    """Run lines by Bash and return what they print."""
    script = "\n".join(lines)
    if not script.strip():
        return ""
    bin_folder = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        # A page without an output opens in the browser; a test must not open one.
        env={**os.environ, "BROWSER": "true", "PATH": f"{bin_folder}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{where}: {script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def parts():
    """Pages with the blocks that are run one after the other."""
    for page in PAGES:
        found = []
        for i, block in enumerate(b for b in blocks_of(page) if b.language in ("bash", "python")):
            if not found or i in BEGIN.get(name_of(page), ()):
                found.append([])
            found[-1].append(block)
        for i, part in enumerate(found):
            yield pytest.param(
                page, part, id=name_of(page) if len(found) == 1 else f"{name_of(page)}-{i}"
            )


@pytest.mark.usefixtures("little_work")
@pytest.mark.parametrize(("page", "blocks"), list(parts()))
def test_blocks_of_the_page_run(page, blocks, tmp_path, monkeypatch, demo_folder):
    """In a folder of their own, in order, with the demo's files beside."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda url: pytest.fail(f"{name_of(page)} opens {url}"))
    names = {"__name__": page.stem}
    for block in blocks:
        if block.language == "bash":
            run_shell(block, page, tmp_path)
        else:
            # Blank lines in front make a traceback name the line of the page.
            exec(compile("\n" * (block.line - 1) + block.code, str(page), "exec"), names)


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.parent.name in ("how-to", "tutorials", ROOT.name)], ids=name_of
)
def test_how_tos_import_nothing_from_deep(page):
    """One call does the job; what a page needs besides, packages show themselves."""
    if page.name == "compare.md":
        pytest.skip("evaluation is no part of what the facade shows")
    for block in blocks_of(page):
        assert not re.search(r"^from motionloom\.\w+\.", block.code, re.MULTILINE), block.code
        if block.language == "python" and "motionloom" in block.code:
            taken = re.findall(r"^from motionloom\.\w+ import (\w+)", block.code, re.MULTILINE)
            assert not {"load_motion", "load_markers", "load", "save", "synthesize"} & set(taken)


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=name_of)
def test_blocks_name_a_language_and_links_lead_somewhere(page):
    text = page.read_text()
    assert {b.language for b in blocks_of(page)} <= {"bash", "python", "yaml", "text", "json"}
    assert text.count("```") == 2 * len(blocks_of(page)), "a block without a language"
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", _BLOCK.sub("", text)):
        if "://" in target:
            continue
        there = page.parent / target if target else page
        assert there.exists(), f"{name_of(page)}: {target}"
        if anchor:
            assert anchor in anchors_of(there), f"{name_of(page)}: {target}#{anchor}"


def test_the_first_screen_of_the_readme_has_the_two_commands():
    blocks = blocks_of(ROOT / "README.md")
    first, second = (b.code.strip() for b in blocks[:2])
    assert first == 'python -m pip install ".[all]" && motionloom demo -o demo'
    assert re.fullmatch(r'python -m pip install "\.\[dev\]" && python -m pytest.*', second)
    assert blocks[1].line < 40


def test_yaml_blocks_about_constraints_are_read(tmp_path):
    from motionloom.constraints.scene import read_any

    pages = [p for p in PAGES if p.name in ("README.md", "constraints.md")]
    files = [
        b.code
        for p in pages
        for b in blocks_of(p)
        if b.language == "yaml" and "duration:" in b.code
    ]
    assert files
    for i, text in enumerate(files):
        path = tmp_path / f"{i}.yaml"
        path.write_text(text)
        assert read_any(path).duration > 0


def test_the_index_lists_every_page_once():
    listed = re.findall(r"^\| \[[^]]+\]\(([^)]+)\)", (DOCS / "index.md").read_text(), re.MULTILINE)
    pages = {p.relative_to(DOCS).as_posix() for p in PAGES[1:]}
    assert sorted(listed) == sorted(
        p for p in pages if p != "index.md" and not p.startswith("reference/api/")
    )


def test_the_reference_of_the_api_is_what_the_docstrings_say():
    spec = importlib.util.spec_from_file_location("build_reference", DOCS / "build_reference.py")
    builder = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = builder
    spec.loader.exec_module(builder)
    pages = dict(builder.pages())
    for path, text in pages.items():
        assert path.read_text() == text, (
            f"{path.name} is out of date; run: python docs/build_reference.py"
        )
    assert {p for p in PAGES if p.parent.name == "api"} == {
        p for p in pages if p.parent.name == "api"
    }


def test_every_package_with_public_names_has_a_page():
    source = ROOT / "src" / "motionloom"
    packages = {p.parent.name for p in source.glob("*/__init__.py") if "__all__" in p.read_text()}
    assert packages <= {p.stem for p in (DOCS / "reference" / "api").glob("*.md")}


def test_the_architecture_names_every_layer():
    page = (DOCS / "architecture.md").read_text()
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ][0]["layers"]
    for name in re.findall(r"\w+", " ".join(listed)):
        assert f"`{name}`" in page, f"docs/architecture.md says nothing of the package {name}"


def test_the_benchmarks_page_lists_every_script():
    page = (ROOT / "evaluation" / "README.md").read_text()
    for script in sorted((ROOT / "evaluation" / "benchmarks").glob("*.py")):
        assert f"`{script.name}`" in page


def test_the_changelog_has_the_version_of_the_package():
    versions = re.findall(r"^## \[([^]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert motionloom.__version__ in versions
    assert f"version: {motionloom.__version__}\n" in (ROOT / "CITATION.cff").read_text()
