"""Companies whose names differ in words of their trade, and companies that only share such words."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.records import Entity, ListedName, ListVersion, Schema, Subject

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)


def band(query: str, listed: str, *, schema: Schema = "Organization") -> str:
    entity = Entity("1", schema, [ListedName(listed)])
    lists = MemoryLists.of([entity], VERSION)
    matches = engine.screen(Subject([query], "Organization"), lists).matches
    return matches[0].band if matches else ""


ONE = [
    ("Ocean Hansa Management Company", "Ocean Hansa Management Company Limited (OHM)"),
    ("VTX", "VTX Bank Public Joint Stock Company"),
    ("Severoneft", "Severoneft Oil Company"), ("Kemazneft", "PJSC KEMAZNEFT Oil and Gas Company"),
    ("Belavira", "Belavira Belarusian Airlines"), ("Aeroflix", "Aeroflix Russian Airlines PJSC"),
    ("Polyarus", "Polyarus Gold Mining"), ("Novikobank", "JSCB Novikobank"), ("Rostekh", "State Corporation Rostekh"),
    ("Belneftekhim", "Concern Belneftekhim"), ("Hangvision", "Hangzhou Hangvision Digital Technology Co., Ltd."),
    ("Vladbank", "Vladbank Bank Public Joint Stock Company"), ("Kalashnik Concern", "JSC Kontsern Kalashnik"),
    ("Mellat Bank PLC", "Bank Mellat Iran"), ("Jaish-i-Mohammad", "Jaish-e-Mohammed"),
    ("Tehrik-i-Talibon", "Tehrik-e Talibon"), ("Khatem al-Anbiyo", "Khatem al Anbiyo Construction Headquarters"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ONE)
def test_words_of_trade_make_no_other_company(one, other):
    assert band(one, other) in {"strong", "possible"}
    assert band(other, one) in {"strong", "possible"}


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        # Words and names that many companies have are no name of one.
        ("Delta", "Delta Oil Company"), ("Delta Oil Company", "Delta"), ("Phoenix LLC", "Phoenix Energy Trading JSC"),
        ("Johnson Ltd", "Johnson Gas Transport"), ("Murman Steel", "Murman Airlines"), ("Gold Mining", "Oil and Gas"),
        ("Dubai Petroleum", "Dubai Steel"), ("Severoneft Hospital", "Severoneft Oil Company"),
        # The legal forms differ, too.
        ("King S.A.", "King Trade B.V."),
        # Each lacks a word of the other.
        ("Severoneft Shipping", "Severoneft Insurance"), ("ALKN", "ALKN Oil and Gas Company of Siberia"),
    ],
)  # fmt: skip
def test_other_companies_that_share_words_are_no_hit(query, listed):
    assert band(query, listed) in {"weak", ""}


def test_a_vessel_of_the_name_is_no_hit():
    assert band("Severoneft Oil Company", "Severoneft", schema="Vessel") == ""


def test_words_of_trade_tell_two_vessels_apart():
    entity = Entity("1", "Vessel", [ListedName("Severoneft Energy")])
    lists = MemoryLists.of([entity], VERSION)
    [match] = engine.screen(Subject(["Severoneft"], "Vessel"), lists).matches
    assert match.band == "weak"
