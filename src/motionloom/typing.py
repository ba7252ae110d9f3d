"""Types that the library's signatures name."""

from __future__ import annotations

from os import PathLike

import numpy as np
from numpy.typing import NDArray

#: Numbers in double precision.
Array = NDArray[np.float64]
#: Numbers in single precision.
Singles = NDArray[np.float32]
#: Counts, indices and frame numbers.
Ints = NDArray[np.int64]
#: Flags.
Bools = NDArray[np.bool_]
#: What names a file or folder.
PathName = str | PathLike[str]
