"""The lists of countries that an installation starts with, beside what they are said to be."""

from __future__ import annotations

from checks.data import table
from checks.subject_data.risk import FATF_DATE
from papers import countries
from reviews.risk.engine.default import DEFAULT

LISTS = DEFAULT["countries"]
# Delegated Regulation (EU) 2016/1675, annex, as it is since (EU) 2025/1184 applies: ten countries came
# (DZ AO CI KE LA LB MC NA NP VE), eight left (BB GI JM PA PH SN UG AE).
EU = {
    "AF",
    "DZ",
    "AO",
    "BF",
    "CM",
    "CI",
    "CD",
    "HT",
    "IR",
    "KE",
    "KP",
    "LA",
    "LB",
    "ML",
    "MC",
    "MM",
    "MZ",
    "NA",
    "NP",
    "NG",
    "SS",
    "SY",
    "TZ",
    "TT",
    "VE",
    "VN",
    "VU",
    "YE",
    "ZA",
}
LEFT_IN_2025 = {"BB", "GI", "JM", "PA", "PH", "SN", "UG", "AE"}


def test_the_lists_of_fatf_are_those_of_the_checks():
    tiers: dict[str, set[str]] = {}
    for row in table("fatf"):
        tiers.setdefault(row["tier"], set()).add(row["code"])
    assert set(LISTS["fatf_black"]["codes"]) == tiers["call_for_action"]
    assert set(LISTS["fatf_grey"]["codes"]) == tiers["increased_monitoring"]
    assert LISTS["fatf_black"]["as_of"] == LISTS["fatf_grey"]["as_of"] == FATF_DATE


def test_the_list_of_the_eu_is_that_of_the_regulation():
    codes = LISTS["eu_high_risk"]["codes"]
    assert set(codes) == EU
    assert not LEFT_IN_2025 & set(codes)
    assert LISTS["eu_high_risk"]["as_of"] == "2025-08-05"


def test_each_code_is_a_country_and_stands_once():
    for row in LISTS.values():
        assert len(row["codes"]) == len(set(row["codes"]))
        assert set(row["codes"]) <= set(countries.NAMES)
