"""`python -m checks FILE…`"""

from __future__ import annotations

import sys

from checks.command_line import main

if __name__ == "__main__":
    sys.exit(main())
