"""Commands of installed packages, and what stands in for those of a package that is missing."""

import pytest
import typer

from motionloom.cli import _app as installed
from motionloom.errors import InvalidInputError


def command_line(monkeypatch, things):
    """A command line with the entry points that lead to `things`."""
    loaded = []

    def load(_, register, name):
        if name in things:
            loaded.append(name)
            register(name, things[name])

    monkeypatch.setattr(installed, "names_of", lambda group: tuple(things))
    monkeypatch.setattr(installed, "load_plugins", load)
    app = typer.Typer()
    app.command("own")(lambda: print("done"))
    app.command("other")(lambda: None)
    top = typer.main.get_command(app)
    installed.add_installed(top)
    return lambda *words: top.main(list(words), standalone_mode=False), loaded


@pytest.mark.parametrize("name", ["compare", "evaluate"])
def test_without_evaluation_its_commands_say_how_to_install_it(name, monkeypatch, capsys):
    run, _ = command_line(monkeypatch, {})
    run("--help")
    assert name in capsys.readouterr().out
    with pytest.raises(InvalidInputError, match="needs the package") as refused:
        run(name, "gait", "a.bvh", "--only", "walk", "-o", "b.json")
    assert refused.value.exit_code == 2
    assert str(refused.value).startswith(f"motionloom {name} ")
    assert "python -m pip install ./evaluation" in str(refused.value)
    run("own")
    assert capsys.readouterr().out == "done\n"


def test_a_package_adds_a_command_and_a_group_that_are_loaded_when_they_run(monkeypatch, capsys):
    group = typer.Typer()
    group.command("below")(lambda: print("below"))
    group.command("beside")(lambda: print("beside"))
    run, loaded = command_line(monkeypatch, {"compare": lambda: print("compared"), "mine": group})
    run("--help")
    run("own")
    assert not loaded
    capsys.readouterr()
    run("compare")
    run("mine", "below")
    assert capsys.readouterr().out == "compared\nbelow\n"
    with pytest.raises(InvalidInputError):
        run("evaluate")


def test_a_command_that_cannot_be_loaded_leaves_the_others_alone(monkeypatch, capsys):
    run, _ = command_line(monkeypatch, {"mine": None})

    def load(group, register, name):
        raise InvalidInputError("the plug-in 'mine' cannot be loaded")

    monkeypatch.setattr(installed, "load_plugins", load)
    run("own")
    assert capsys.readouterr().out == "done\n"
    with pytest.raises(InvalidInputError, match="cannot be loaded"):
        run("mine", "--any", "thing")
