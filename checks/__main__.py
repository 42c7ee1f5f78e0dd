"""`python -m checks FILE…` and `python -m checks match PAIRS.csv`"""

from __future__ import annotations

import sys

from checks import command_line, matching_pairs

if __name__ == "__main__":
    if sys.argv[1:2] == ["match"]:
        sys.exit(matching_pairs.main(sys.argv[2:]))
    sys.exit(command_line.main())
