from __future__ import annotations

DAY = "Y-m-d"
MOMENT = "Y-m-d H:i T"
SECOND = "Y-m-d H:i:s T"
LONG_DAY = "j F Y"
LONG_MOMENT = "j F Y, H:i T"
DAY_OF_YEAR = "j M"
MIDDLE_DAY = "j M Y"
# For the attribute `datetime`, in every language: HTML allows no fraction of six digits.
ISO = r"Y-m-d\TH:i:sO"
