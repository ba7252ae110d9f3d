"""Names the platform in the tag of a wheel that holds compiled kernels."""

from __future__ import annotations

import re
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelTag(BuildHookInterface):
    """A wheel without kernels stays pure."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Set the tag; kernels of all versions of Python lie side by side."""
        if (Path(self.root) / "src" / "motionloom" / "_kernels").is_dir():
            platform = re.sub(r"\W", "_", sysconfig.get_platform())
            build_data.update(pure_python=False, tag=f"py3-none-{platform}")
