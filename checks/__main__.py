"""`python -m checks FILE…` and `python -m checks match PAIRS.csv`"""

from __future__ import annotations

import sys

from checks.commands import examine, match

if __name__ == "__main__":
    if sys.argv[1:2] == ["match"]:
        sys.exit(match.main(sys.argv[2:]))
    sys.exit(examine.main())
