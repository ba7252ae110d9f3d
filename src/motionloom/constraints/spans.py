"""What is asked for over a span of time: styles, paths, and costs that a user wrote."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from motionloom.constraints.values import Ground, Model, Name, Number, Time, Weight, field_error


class _Span(Model):
    @model_validator(mode="after")
    def _check_span(self) -> Self:
        begin = getattr(self, "begin", None)
        end = getattr(self, "end", None)
        if begin is not None and end is not None and begin >= end:
            raise field_error(
                ("to",), f"expected a time after 'from' ({begin:g} s), got {end:g} s; swap the two"
            )
        return self


def _shown(times: tuple[float, ...]) -> str:
    """All times; of many the two that do not ascend."""
    if len(times) <= 10:
        return str(list(times))
    k = next(k for k in range(1, len(times)) if times[k] <= times[k - 1])
    return f"{times[k]} after {times[k - 1]}"


class StyleConstraint(_Span):
    """How the motion is to look over a span of time.

    Parameters
    ----------
    begin, end : float, seconds
        ``from`` and ``to`` in a file.
    label : str
        As the labels file gives it to clips or parts of clips.
    weight : float
    """

    begin: Time = Field(alias="from")
    end: Time = Field(alias="to")
    label: Name = Field(
        description="a label of the labels file", json_schema_extra={"example": "elderly"}
    )
    weight: Weight = 1.0


class StillConstraint(_Span):
    """A span of time in which the person stands still, as quietly as anybody in the clips does.

    Parameters
    ----------
    begin : float, seconds
        ``from`` in a file.
    end : float, seconds, optional
        ``to`` in a file; the end of the motion when not given.
    weight : float
    """

    begin: Time = Field(alias="from")
    end: Time | None = Field(default=None, alias="to")
    weight: Weight = 1.0


class PathConstraint(_Span):
    """A way along the ground that the body follows.

    Parameters
    ----------
    points : tuple of (float, float), metres
        x and z, in order.
    times : tuple of float, seconds, optional
        When the body is at each point. Without them the body goes at an even pace between `begin`
        and `end`.
    begin, end : float, seconds, optional
        ``from`` and ``to`` in a file; the whole motion without them.
    curve : {"polyline", "spline"}
        Straight from point to point, or a smooth curve through them.
    face_along : bool
        Whether the body faces along the way.
    weight : float
        1 counts a second at 30 cm from the way as much as a body constraint missed by 30 cm.
    """

    points: Annotated[tuple[Ground, ...], Field(fail_fast=True)] = Field(
        min_length=2,
        description="two or more points [x, z] in metres",
        json_schema_extra={"example": [[0.0, 0.0], [1.0, 2.0]]},
    )
    times: Annotated[tuple[Time, ...], Field(fail_fast=True)] | None = Field(
        default=None,
        description="one ascending time for every point",
        json_schema_extra={"example": [0.0, 3.0]},
    )
    begin: Time | None = Field(default=None, alias="from")
    end: Time | None = Field(default=None, alias="to")
    curve: Literal["polyline", "spline"] = Field(
        default="polyline",
        description="polyline or spline",
        json_schema_extra={"example": "spline"},
    )
    face_along: bool = Field(
        default=False, description="true or false", json_schema_extra={"example": True}
    )
    weight: Weight = 1.0

    @model_validator(mode="after")
    def _check_times(self) -> Self:
        if self.times is None:
            return self
        if self.begin is not None or self.end is not None:
            raise field_error(
                ("times",), "a path has either times or 'from' and 'to'; remove one of the two"
            )
        if len(self.times) != len(self.points):
            raise field_error(
                ("times",),
                f"expected one time for each of the {len(self.points)} points, got"
                f" {len(self.times)}",
            )
        if any(b <= a for a, b in zip(self.times, self.times[1:], strict=False)):
            raise field_error(("times",), f"expected ascending times, got {_shown(self.times)}")
        return self


class CostConstraint(_Span):
    """A cost that a user wrote in Python and registered by name.

    Parameters
    ----------
    name : str
    parameters : dict of str to number, text or truth
        Given to the function by name.
    begin, end : float, seconds, optional
        ``from`` and ``to`` in a file; the whole motion without them.
    weight : float
    """

    name: Name = Field(
        description="the name of a registered cost", json_schema_extra={"example": "hands_low"}
    )
    parameters: dict[str, bool | Number | str] = Field(
        default_factory=dict,
        description="names and values",
        json_schema_extra={"example": "{height: 1.0}"},
    )
    begin: Time | None = Field(default=None, alias="from")
    end: Time | None = Field(default=None, alias="to")
    weight: Weight = 1.0
