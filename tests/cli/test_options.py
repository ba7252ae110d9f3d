"""Options of commands: blocks of them, rates, and defaults that are the library's."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from motionloom.cli.main import main
from motionloom.graph.joining import JoinOptions
from motionloom.reading import ReadOptions
from motionloom.synthesis.driver import SynthesisOptions
from motionloom_evaluation.cli.options import ClipSetBlock, with_blocks


@dataclass(frozen=True, kw_only=True)
class Block:
    size: Annotated[int, typer.Option("--size", "-s", help="How many.")] = 3
    names: Annotated[list[str] | None, typer.Option("--name")] = None


def run(command, *argv):
    app = typer.Typer()
    app.command()(command)
    return app(args=list(argv), standalone_mode=False)


def test_a_block_is_made_of_its_options():
    got = []

    @with_blocks
    def command(file: Path, block: Block, loud: bool = False) -> int:
        got.append((file, block, loud))
        return 0

    run(command, "a", "-s", "4", "--name", "x", "--name", "y")
    run(command, "b", "--loud")
    assert got == [(Path("a"), Block(size=4, names=["x", "y"]), False), (Path("b"), Block(), True)]


def test_what_was_not_given_keeps_the_library_s_default():
    assert ClipSetBlock().to_options() == ReadOptions()
    assert ClipSetBlock(rate=50.0, only=["a"]).to_options() == ReadOptions(rate=50.0, only=["a"])


def test_defaults_in_the_help_are_those_of_the_library(capsys):
    assert main(["synthesize", "--help"]) == 0
    words = " ".join(re.sub("[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
    assert f"How long to search (above 0). [default: {SynthesisOptions().budget}]" in words
    assert "OUT, OUT-2 ... (from 1 to 20) [default: 1]" in words
    assert SynthesisOptions().alternatives == 1
    assert f"[default: {JoinOptions().method}]" in words
