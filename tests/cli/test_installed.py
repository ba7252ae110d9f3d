"""Commands of installed packages, and what stands in for those of a package that is missing."""

import typer
from typer.testing import CliRunner

from motionloom.cli import installed
from motionloom.errors import InvalidInputError


def run(monkeypatch, words, names=(), load=None):
    """What comes of words to a command line with entry points of `names`."""
    monkeypatch.setattr(installed, "names_of", lambda group: names)
    monkeypatch.setattr(installed, "load_plugins", load)
    app = typer.Typer()
    app.command("own")(lambda: print("done"))
    installed.add_installed(app)
    return CliRunner().invoke(app, words)


def test_without_evaluation_both_commands_say_how_to_install_it(monkeypatch):
    shown = run(monkeypatch, ["--help"]).output
    for name in ("compare", "evaluate"):
        assert name in shown
        found = run(monkeypatch, [name, "gait", "a.bvh", "--only", "walk", "-o", "b.json"])
        assert isinstance(found.exception, InvalidInputError)
        assert found.exception.exit_code == 2
        assert str(found.exception).startswith(f"motionloom {name} needs the package")
        assert "python -m pip install ./evaluation" in str(found.exception)
    assert run(monkeypatch, ["own"]).output == "done\n"


def test_a_package_adds_a_command_and_a_group(monkeypatch):
    group = typer.Typer()
    group.command("below")(lambda: print("below"))
    group.command("beside")(lambda: print("beside"))
    commands = {"compare": lambda: print("compared"), "mine": group}

    def load(_, register, name):
        register(name, commands[name])

    for words, shown in (["compare"], "compared\n"), (["mine", "below"], "below\n"):
        assert run(monkeypatch, words, tuple(commands), load).output == shown
    found = run(monkeypatch, ["evaluate"], tuple(commands), load)
    assert isinstance(found.exception, InvalidInputError)


def test_a_command_that_cannot_be_loaded_leaves_the_others_alone(monkeypatch):
    def load(group, register, name):
        raise InvalidInputError("the plug-in 'mine' cannot be loaded")

    assert run(monkeypatch, ["own"], ("mine",), load).output == "done\n"
    found = run(monkeypatch, ["mine", "--any", "thing"], ("mine",), load)
    assert "cannot be loaded" in str(found.exception)
