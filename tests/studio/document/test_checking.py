"""Documents are checked as files are, and no field that names a file is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from motionloom.errors import FormatError
from motionloom.io.document import parse_document
from motionloom.shot.script.reading import parse_shot
from motionloom.shot.script.shot import Shot
from motionloom.studio._document.shot_document import PLACES, check_document, named_places


def test_all_fields_that_name_files_are_known() -> None:
    schema = Shot.model_json_schema()
    assert set(_file_fields(schema)) <= set(PLACES)
    assert len(set(_file_fields(schema))) >= 4


def _file_fields(schema: Any) -> Iterator[str]:
    """Fields of text of up to 1000 characters, as names of files have."""
    if isinstance(schema, list):
        for one in schema:
            yield from _file_fields(one)
    if not isinstance(schema, dict):
        return
    for name, field in schema.get("properties", {}).items():
        shapes = [field, *field.get("anyOf", [])]
        if any(shape.get("maxLength") == 1000 for shape in shapes):
            yield name
    for one in schema.values():
        yield from _file_fields(one)


@pytest.mark.parametrize(
    "text",
    [
        "shot: 1\ncast: {anna: {}}\ntracks: {anna: [{do: idle, for: -1}]}",
        "shot: 1\ncast: {anna: {}}\ntracks:\n  anna:\n    - {do: fly, for: 1}",
        "shot: 1\ncast: {anna: {}}\ntracks: {ben: [{do: idle, for: 1}]}",
        "shot: 2\ncast: {anna: {}}\ntracks: {anna: [{do: idle, for: 1}]}",
        "shot: 1\nfsp: 3\ncast: {anna: {}}\ntracks: {anna: [{do: idle, for: 1}]}",
        "shot: 1\navoid: [{shape: heightmap, file: ../x.csv, cell: 1}]\ncast: {anna: {}}\n"
        "tracks: {anna: [{do: idle, for: 1}]}",
    ],
)
def test_the_sentences_are_those_of_the_command_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "shot.yaml"
    file, problems = check_document(parse_document(text, path), path)
    with pytest.raises(FormatError) as error:
        parse_shot(text, path)
    assert file is None
    assert [one.message for one in problems] == [error.value.message]
    assert [one.line for one in problems] == [error.value.line]


def test_places_are_found_wherever_they_stand() -> None:
    value = {
        "library": "a",
        "cast": {"x": {"skeleton": "b", "labels": "c"}},
        "tracks": {"x": [{"model": "d"}, {"constraints": {"key_poses": [{"file": "e"}]}}]},
    }
    assert sorted(named_places(value)) == ["a", "b", "c", "d", "e"]


def test_all_mistakes_are_told_each_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "shot.yaml"
    text = (
        "shot: 1\ncast: {anna: {}, ben: {}}\ntracks:\n  anna:\n"
        "    - {do: idle, until: yes.}\n    - {do: idel, for: 3}\n    - {do: idle, fro: 3}\n"
        "  ben:\n    - {do: gait, speed: 99, for: 2}\n"
    )
    _, problems = check_document(parse_document(text, path), path)
    assert sorted(one.line or 0 for one in problems) == [5, 6, 7, 9]
    assert any(one.message.startswith("tracks.anna[0].until: ") for one in problems)
    with pytest.raises(FormatError, match="3 more to correct") as error:
        parse_shot(text, path)
    assert [one.message for one in error.value.each] == [one.message for one in problems]
