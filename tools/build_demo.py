"""Write the built-in clips anew into the package; run it where the performer has changed.

python tools/build_demo.py
"""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

from motionloom.performer.demo_files import KEPT, perform_files

TARGET = Path(__file__).resolve().parents[1] / "src" / "motionloom" / "performer" / KEPT


def main() -> None:
    """Perform, and pack with one date, so that the same files give the same bytes."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(TARGET, "w") as archive:
        for name, write in perform_files().items():
            place = Path(folder) / Path(name).name
            write(place)
            kept = zipfile.ZipInfo(name)
            kept.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(kept, place.read_bytes(), compresslevel=9)
    print(f"{TARGET}: {TARGET.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
