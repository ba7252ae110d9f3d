"""Add files to a library and die (SIGKILL) at the n-th change of the file system; prints how many
there were.

python killed_add.py LIBRARY N FILE...
"""

import os
import signal
import sys

from motionloom.library import add_clips

_CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "shutil.rmtree"}


def main() -> None:
    """Run."""
    library, n, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    count = 0

    def on_event(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        opened = (
            event == "open"
            and isinstance(arguments[2], int)
            and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        where = str(arguments[0]) if arguments else ""
        if (event in _CHANGES or opened) and os.path.basename(library) in where:
            count += 1
            if count == n:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(on_event)
    add_clips(library, files)
    print(count)


if __name__ == "__main__":
    main()
