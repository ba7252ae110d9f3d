"""``python -m motionloom``."""

import sys

from motionloom.cli.main import main

sys.exit(main())
