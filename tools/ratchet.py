"""Measures of the code's size and density that may only fall.

    python tools/ratchet.py            fail where a measure is above its number
    python tools/ratchet.py --write    lower the numbers to what is measured now

The numbers lie in tools/ratchet.json; one is raised by hand, with a reason under "raised".
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tools" / "ratchet.json"
#: Entry modules whose import closure is measured; imports inside functions count.
ENTRIES = {
    "synthesize": ("synthesis.driver", "graph.generator"),
    "make_shot": ("shot.making",),
    "studio drag": ("studio._session",),
}
#: Consecutive equal lines that count as a literal duplicate.
WINDOW = 6
_SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.comprehension)


@dataclass(frozen=True)
class Module:
    """A source file: its dotted name, the part of the package that it belongs to, and its text."""

    name: str
    package: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def code_lines(self) -> list[str]:
        """Lines with a token that is no docstring or comment."""
        strings = set().union(*(range(d.lineno, d.end_lineno + 1) for d in _docstrings(self.tree)))
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        spoken = (token for token in tokens if token.type not in _SILENT and token.string)
        used = {i for token in spoken for i in range(token.start[0], token.end[0] + 1)}
        lines = self.text.splitlines()
        return [lines[number - 1].strip() for number in sorted(used - strings)]

    @property
    def classes(self) -> list[str]:
        """Names of the classes at module level."""
        return [node.name for node in self.tree.body if isinstance(node, ast.ClassDef)]


def read_modules(package: Path) -> list[Module]:
    """Read every module of a package."""
    paths = sorted(package.rglob("*.py"))
    return [Module(*_names(path.relative_to(package)), path.read_text()) for path in paths]


def measure(modules: list[Module], quaint: set[str]) -> dict[str, float]:
    """Measure everything that the ratchet holds."""
    packages = _lines_by_package(modules)
    lines = sum(packages.values())
    branches = sum(_complexity(module.tree) for module in modules)
    classes = Counter(name for module in modules for name in module.classes)
    measures: dict[str, float] = {
        "files": len(modules),
        "code lines": lines,
        "public names": sum(len(_public_names(module)) for module in modules),
        "module-level numbers": sum(_constants(module.tree) for module in modules),
        "class names used twice": sum(count > 1 for count in classes.values()),
        "lines in literal duplicates": _duplicated_lines(modules),
        "complexity per 1000 code lines": round(1000 * branches / max(lines, 1)),
        "quaint names": sum(_quaint_names(module.tree, quaint) for module in modules),
    }
    measures |= {f"code lines of {package}": count for package, count in packages.items()}
    for what, entries in ENTRIES.items():
        reached = _reached(modules, entries)
        measures[f"modules that {what} reaches"] = len(reached)
        measures[f"classes that {what} reaches"] = sum(len(module.classes) for module in reached)
    return measures


def main(arguments: list[str]) -> int:
    """Compare with the record, or lower it."""
    glossary = (ROOT / "docs" / "glossary.md").read_text()
    now = measure(read_modules(ROOT / "src" / "motionloom"), quaint_words(glossary))
    record = json.loads(RECORD.read_text())
    kept = record["numbers"]
    if arguments == ["--write"]:
        lowered = {key: min(value, kept.get(key, value)) for key, value in now.items()}
        RECORD.write_text(json.dumps({**record, "numbers": lowered}, indent=2) + "\n")
        return 0
    for key, value in now.items():
        print(f"{value:>8} of {kept.get(key, 0):>8}  {key}")
    above = [key for key, value in now.items() if value > kept.get(key, 0)]
    for key in above:
        print(f"error: {key}: {now[key]}, more than {kept.get(key, 0)}; make it less, or raise it")
        print("in tools/ratchet.json and say why under 'raised'")
    return 1 if above else 0


def quaint_words(glossary: str) -> set[str]:
    """Words that names should not have: the list of the glossary's last section."""
    section = glossary.partition("## Words that names do not use")[2]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def _docstrings(tree: ast.Module) -> list[ast.Expr]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return [node for node in found if isinstance(getattr(node.value, "value", None), str)]


def _names(path: Path) -> tuple[str, str]:
    parts = path.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return name, parts[0] if len(parts) > 1 else "top-level modules"


def _public_names(module: Module) -> list[str]:
    """Functions and classes without an underscore in their name or their module's path."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    names = [f"{module.name}.{n.name}" for n in module.tree.body if isinstance(n, kinds)]
    return [name for name in names if "._" not in f".{name}"]


def _constants(tree: ast.Module) -> int:
    """Numbers that are assigned at module level, alone or in a tuple."""
    values = [node.value for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign))]
    numbers = [leaf for value in values for leaf in getattr(value, "elts", [value])]
    numbers = [n.operand if isinstance(n, ast.UnaryOp) else n for n in numbers]
    return sum(type(getattr(n, "value", None)) in (int, float) for n in numbers)


def _complexity(tree: ast.Module) -> int:
    nodes = list(ast.walk(tree))
    functions = sum(isinstance(node, ast.FunctionDef) for node in nodes)
    branches = sum(isinstance(node, _BRANCHES) for node in nodes)
    return functions + branches + sum(len(n.values) - 1 for n in nodes if isinstance(n, ast.BoolOp))


def _quaint_names(tree: ast.Module, quaint: set[str]) -> int:
    kinds = (ast.FunctionDef, ast.ClassDef, ast.arg)
    named = [getattr(n, "name", None) or n.arg for n in ast.walk(tree) if isinstance(n, kinds)]
    words = [re.findall(r"[A-Z]?[a-z]+", name) for name in named]
    return sum(any(word.lower() in quaint for word in found) for found in words)


def _lines_by_package(modules: list[Module]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for module in modules:
        counts[module.package] += len(module.code_lines)
    return dict(sorted(counts.items()))


def _duplicated_lines(modules: list[Module]) -> int:
    seen: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for module in modules:
        lines = [x for x in module.code_lines if not x.startswith(("import ", "from ", "#"))]
        for start in range(len(lines) - WINDOW + 1):
            seen.setdefault(tuple(lines[start : start + WINDOW]), []).append((module.name, start))
    places = [place for found in seen.values() if len(found) > 1 for place in found]
    return len({(name, start + i) for name, start in places for i in range(WINDOW)})


def _reached(modules: list[Module], entries: tuple[str, ...]) -> list[Module]:
    # The package itself names its calls for type checkers only, and loads none of them.
    known = {module.name: module for module in modules if module.name}
    open_, reached = list(entries), set()
    while open_:
        name = open_.pop()
        if name in known and name not in reached:
            reached.add(name)
            open_ += _imported(known[name].tree)
    return [known[name] for name in sorted(reached)]


def _imported(tree: ast.Module) -> list[str]:
    """Dotted names below the package that a module imports, names from modules among them."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in found if (node.module or "").split(".")[0] == "motionloom"]
    bases = [((node.module or "").partition(".")[2], node) for node in ours]
    names = [f"{base}.{alias.name}".strip(".") for base, node in bases for alias in node.names]
    return [base for base, _ in bases] + names


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
