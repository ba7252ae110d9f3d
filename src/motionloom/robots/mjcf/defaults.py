"""Classes of defaults: what an element has that says nothing itself."""

from __future__ import annotations

from motionloom.robots.mjcf.nodes import Node
from motionloom.robots.mjcf.values import ORIENTATIONS

#: By element name, attributes.
Values = dict[str, dict[str, str]]


class Defaults:
    """The tree of default classes of a model.

    Parameters
    ----------
    root : Node
        ``<mujoco>``.
    """

    def __init__(self, root: Node) -> None:
        self._classes: dict[str, Values] = {"": {}}
        for node in root.named("default"):
            self._add(node, {}, "main")
            # All classes begin with what the outermost one says.
            self._classes[""] = self._classes[node.given.get("class", "main")]

    def _add(self, node: Node, above: Values, fallback: str = "") -> None:
        name = node.given.get("class", fallback)
        if not name:
            raise node.error("a default within a default needs a class name")
        own = {tag: dict(values) for tag, values in self._classes.get(name, above).items()}
        for child in node.children:
            if child.tag != "default":
                own[child.tag] = overlay(own.get(child.tag, {}), child.given)
        self._classes[name] = own
        for child in node.named("default"):
            self._add(child, own)

    def fill(self, node: Node, childclass: str) -> dict[str, str]:
        """Attributes of an element with those that its class has.

        Parameters
        ----------
        node : Node
            The element.
        childclass : str
            Class of elements that name none, from the bodies around it.

        Returns
        -------
        dict of str to str

        Raises
        ------
        FormatError
            When the element names a class that there is not.
        """
        name = node.given.get("class", childclass)
        if name not in self._classes:
            known = ", ".join(sorted(filter(None, self._classes))[:20])
            raise node.error(f"class={name!r} is not defined; the model has: {known}")
        return overlay(self._classes[name].get(node.tag, {}), node.given)


def overlay(below: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Attributes over others; an own orientation replaces another kind of orientation."""
    if any(name in own for name in ORIENTATIONS):
        below = {name: value for name, value in below.items() if name not in ORIENTATIONS}
    return {**below, **own}
