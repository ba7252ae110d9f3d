"""Methods learn from clips once, with each of their options."""

from __future__ import annotations

from types import SimpleNamespace

from motionloom.inbetween.generator import InbetweenGeneratorOptions
from motionloom.io.kept import KeptFolder
from motionloom.shot import stage as module
from motionloom.shot.stage import Methods


def test_a_method_learns_once_and_knows_where_to_keep_it(monkeypatch, tmp_path):
    learned = []

    def fit(clips, options, progress):
        learned.append(options)
        return object()

    monkeypatch.setattr(module, "find_generator", lambda name: SimpleNamespace(fit=fit))
    kept = KeptFolder(tmp_path)
    methods = Methods(kept)
    assert not methods.has("gait")
    assert methods.fit("gait", None) is methods.fit("gait", None)
    assert methods.has("gait")
    assert methods.fit("gait", None, "quick") is not methods.fit("gait", None)
    methods.fit("inbetween", None, InbetweenGeneratorOptions())
    assert learned[:2] == [None, "quick"]
    assert learned[2].kept is kept
    assert methods.once("own", object) is methods.once("own", object)
