"""Python reads this at the start where its folder is on PYTHONPATH: a clock that is wrong.

CLOCK_OFFSET: the seconds by which the process is ahead; negative where it is behind.
"""

from __future__ import annotations

import os
import time

import time_machine

_offset = float(os.environ["CLOCK_OFFSET"])
time_machine.travel(time.time() + _offset, tick=True).start()
