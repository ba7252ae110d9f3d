"""The built client that lies in the package: the script and the styles of pages and studio."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

#: What a page may do: run this script, use these styles, draw; no more, and nothing over a network.
_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; img-src data:"
    " blob:; base-uri 'none'; form-action 'none'"
)


def read_bundle(name: str) -> str:
    """A file of the built client.

    Parameters
    ----------
    name : str
        Such as ``"studio.js"``.

    Returns
    -------
    str
        Its text.
    """
    return files("motionloom.view").joinpath("client", name).read_text("utf-8")


def content_policy(script: str, style: str) -> str:
    """The content security policy of a page with one script and one block of styles in it.

    Parameters
    ----------
    script, style : str
        Their text, just as it stands in the page.

    Returns
    -------
    str
        For a ``Content-Security-Policy``.
    """
    return _POLICY.format(script=_sha256(script), style=_sha256(style))


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
