from __future__ import annotations

DAY = "d/m/Y"
MOMENT = "d/m/Y H:i T"
SECOND = "d/m/Y H:i:s T"
LONG_DAY = "j F Y"
LONG_MOMENT = "j F Y، H:i T"
DAY_OF_YEAR = "j M"
MIDDLE_DAY = "j M Y"
# For the attribute `datetime`, in every language: HTML allows no fraction of six digits.
ISO = r"Y-m-d\TH:i:sO"
