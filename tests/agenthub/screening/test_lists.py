"""Lists are loaded whole or not at all, and the active version stays until then."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from agenthub import tasks
from agenthub.models.lists import (
    ListEntity,
    ListIdentifier,
    ListName,
    ListPosting,
    ListReindex,
    ListVersion,
)
from agenthub.screening import catalogue, loading, reindexing, sample_lists, status
from agenthub.screening.formats import ListError
from agenthub.screening.formats.base import date
from agenthub.screening.index import DatabaseLists
from agenthub.screening.indexing import writing
from checks.list_screening.checks import BusinessSanctions
from checks.screening import engine
from checks.screening.policy import DEFAULT
from checks.screening.records import Identifier, Subject
from compliance.work.rows import LeaseLostError
from reviews.models import CaseEvent

pytestmark = pytest.mark.django_db


def file(folder: Path, content: bytes, name: str = "SDN.XML") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def load(path: Path, slug: str = "ofac_sdn", **values) -> ListVersion:
    return loading.load(catalogue.source(slug), path, **values)


def alerts(name: str, **values) -> list[str]:
    result = engine.screen(Subject([name], **values), DatabaseLists())
    return [match.entry.entity.id for match in result.alerts]


def smaller(content: bytes, keep: int) -> bytes:
    """The same list with its first entries alone, and a record count that says so."""
    head, *entries = content.replace(b"</sdnList>", b"").split(b"<sdnEntry>")
    total = f"<Record_Count>{len(entries)}<".encode()
    head = head.replace(total, f"<Record_Count>{keep}<".encode())
    return (
        head + b"".join(b"<sdnEntry>" + one for one in entries[:keep]) + b"</sdnList>"
    )


def test_a_list_is_loaded_and_searched(tmp_path):
    out = io.StringIO()
    call_command(
        "load_list",
        "ofac_sdn",
        str(file(tmp_path, sample_lists.ofac_sdn_xml())),
        stdout=out,
    )
    assert "13 entries" in out.getvalue()
    assert alerts("Teodor Korbutski", birth_date="1961-03-14") == ["ofac-900001"]
    assert alerts("رشيد عبد الكريم التماني") == ["ofac-900002"]
    company = Subject(
        ["Coral Tern"],
        "Organization",
        identifiers=[Identifier("registration", "CN 4471902")],
    )
    [hit] = engine.screen(company, DatabaseLists()).alerts
    assert hit.band == "identifier_match"
    assert hit.entry.version.published_at == "2026-10-30"


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
    b"<sdnList><sdnEntry><uid>&b;</uid></sdnEntry></sdnList>"
)


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        (lambda whole: whole[: len(whole) // 2], "ends early"),
        (lambda _: b"name,type\nA B,person\n", "ends early"),
        (lambda _: b"<CONSOLIDATED_LIST dateGenerated='2026-01-01'/>", "another one"),
        (lambda _: BOMB, "refused"),
        (lambda _: b"", "empty"),
        (
            lambda whole: whole.replace(b"<Record_Count>13", b"<Record_Count>14"),
            "14 entries",
        ),
        (lambda whole: smaller(whole, 6), "shrank"),
        (
            lambda whole: whole.replace(
                b"<Record_Count>13", "<Record_Count>²".encode()
            ),
            "not a number",
        ),
        (
            lambda whole: whole.replace(b"<Record_Count>13</Record_Count>", b""),
            "how many entries",
        ),
        (lambda whole: whole.replace(b"lastName", b"surname"), "have no name"),
        (
            lambda whole: whole.replace(b"<uid>", b"<uid/><n>").replace(
                b"</uid>", b"</n>"
            ),
            "no id",
        ),
        (lambda whole: whole.replace(b"dateOfBirthItem", b"dobItem"), "birth dates"),
        (lambda whole: gzip.compress(whole)[:-9], "ends early"),
        (lambda whole: encrypted(whole), "encrypted"),
        (lambda whole: packed_by(whole, method=9), "cannot be read here"),
        (
            lambda whole: archive_of(("a/sdn.xml", whole), ("b/sdn.xml", b"")),
            "two files",
        ),
    ],
)
def test_a_damaged_file_is_refused_and_the_active_version_stays(tmp_path, damage, text):
    whole = sample_lists.ofac_sdn_xml()
    active = load(file(tmp_path, whole))
    before = ListEntity.objects.count(), ListPosting.objects.count()
    with pytest.raises(CommandError, match=text):
        call_command(
            "load_list", "ofac_sdn", str(file(tmp_path, damage(whole), "new.xml"))
        )
    assert (ListEntity.objects.count(), ListPosting.objects.count()) == before
    assert ListVersion.objects.get(status="active") == active
    assert alerts("Teodor Korbutsky", birth_date="1961-03-14") == ["ofac-900001"]
    [listed] = status.all_lists()
    assert text in listed.refused


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            b'{"id": "x", "schema": "Person", "properties": {"name": ["A \\ud800 B"]}}',
            "not text",
        ),
        (
            b'{"id": "x", "schema": "Person", "properties": {"name": ["A \\u0000 B"]}}',
            "not text",
        ),
        (
            b'{"id": "x", "schema": "Person", "properties": {"name": ["A \\uD800 B"]}}',
            "not text",
        ),
        (
            b'{"id": "x", "schema": "Person", "properties": {"name": {"a": "B C"}}}',
            "not an entity",
        ),
        (b"[" * 100_000, "not an entity"),
        (b"42", "not an entity"),
    ],
)
def test_no_line_of_json_is_stored_that_a_database_would_not_take(tmp_path, line, text):
    good = (
        b'{"id": "p", "schema": "Person", "properties": {"name": ["Teodor Korbutsky"]}}'
    )
    source = catalogue.source("own", format="ftm_json")
    active = loading.load(source, file(tmp_path, good, "good.json"))
    with pytest.raises(ListError, match=text):
        loading.load(source, file(tmp_path, good + b"\n" + line, "bad.json"))
    assert ListVersion.objects.get(status="active") == active


# As listed, and as asked.
ROMANISED = [
    ("XI Jinping", "Hsi Chin-p'ing"),
    ("ZHANG Zhizhong", "Chang Chih-chung"),
    ("Deng Xiaoping", "Teng Hsiao-p'ing"),
    ("Ouyang Xiu", "Ou-yang Hsiu"),
    ("Gim Jeongeun", "Kim Chŏng-ŭn"),
    ("Bak Geunhye", "Pak Kŭn-hye"),
    ("Mun Jaein", "Mun Chae-in"),
    ("Choe Yonghae", "Ch'oe Yong-hae"),
]


def test_the_index_finds_a_name_in_another_romanisation(tmp_path):
    """The keys are of the stored names: listed in pinyin or in the Revised Romanisation, asked in
    Wade-Giles or McCune-Reischauer, and the other way round."""
    lines = []
    for number, (listed, query) in enumerate(ROMANISED):
        for entity, name in ((f"new-{number}", listed), (f"old-{number}", query)):
            row = {"id": entity, "schema": "Person", "properties": {"name": [name]}}
            lines.append(json.dumps(row, ensure_ascii=False))
    path = file(tmp_path, "\n".join(lines).encode(), "romanised.json")
    loading.load(catalogue.source("own", format="ftm_json"), path)
    for number, names in enumerate(ROMANISED):
        for name in names:
            assert {f"new-{number}", f"old-{number}"} <= {*alerts(name)}, name
    assert alerts("Marguerite Oyelaran") == []


def archive_of(*members: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return packed.getvalue()


def encrypted(whole: bytes) -> bytes:
    """An archive whose member says that it is encrypted."""
    result = bytearray(archive_of(("sdn.xml", whole)))
    result[6] |= 1
    result[result.index(b"PK\x01\x02") + 8] |= 1
    return bytes(result)


def packed_by(whole: bytes, *, method: int) -> bytes:
    """An archive whose member says that it is packed by another method."""
    result = bytearray(archive_of(("sdn.xml", whole)))
    result[8] = method
    result[result.index(b"PK\x01\x02") + 10] = method
    return bytes(result)


def test_an_archive_of_a_mac_has_files_of_its_own(tmp_path):
    content = archive_of(
        ("lists/sdn.xml", sample_lists.ofac_sdn_xml()),
        ("__MACOSX/lists/._sdn.xml", b"\0\5\x16\7"),
        ("lists/.DS_Store", b"\0"),
    )
    assert load(file(tmp_path, content, "sdn.zip")).entity_count == 13


def test_a_file_that_shrank_is_taken_by_force(tmp_path):
    whole = sample_lists.ofac_sdn_xml()
    load(file(tmp_path, whole))
    version = load(file(tmp_path, smaller(whole, 6), "new.xml"), force=True)
    version.refresh_from_db()
    assert version.changes | {"told": {}} == {
        "added": 0,
        "changed": 0,
        "removed": 7,
        "told": {},
        "other_letters": 0,
        "unreadable_people": 0,
    }
    assert alerts("Babrak Zadrani") == []


def test_a_changed_entry_is_a_new_row_and_the_old_one_stays(tmp_path):
    whole = sample_lists.ofac_sdn_xml()
    first = load(file(tmp_path, whole))
    version = load(
        file(tmp_path, whole.replace(b"14 Mar 1961", b"15 Mar 1961"), "new.xml")
    )
    version.refresh_from_db()
    assert version.changes | {"told": {}} == {
        "added": 0,
        "changed": 1,
        "removed": 0,
        "told": {},
        "other_letters": 0,
        "unreadable_people": 0,
    }
    old, new = ListEntity.objects.filter(external_id="ofac-900001").order_by("pk")
    assert (old.last_version, new.last_version) == (first, None)
    assert alerts("Teodor Korbutsky", birth_date="1961-03-15") == ["ofac-900001"]


def test_the_same_file_changes_nothing(tmp_path):
    path = file(tmp_path, sample_lists.ofac_sdn_xml())
    load(path)
    version = load(path)
    version.refresh_from_db()
    assert version.changes | {"told": {}} == {
        "added": 0,
        "changed": 0,
        "removed": 0,
        "told": {},
        "other_letters": 0,
        "unreadable_people": 0,
    }
    assert ListEntity.objects.count() == 13
    assert alerts("Babrak Zadrani") == ["ofac-900008"]


def test_what_a_version_brought_is_asked_for_also_when_another_is_active(tmp_path):
    whole = sample_lists.ofac_sdn_xml()
    load(file(tmp_path, whole))
    second = load(
        file(tmp_path, whole.replace(b"14 Mar 1961", b"15 Mar 1961"), "new.xml")
    )
    load(file(tmp_path, whole.replace(b"14 Mar 1961", b"15 Mar 1961"), "again.xml"))
    brought = DatabaseLists(brought_by=second.pk)
    result = engine.screen(Subject(["Teodor Korbutsky"]), brought).alerts
    assert [match.entry.entity.id for match in result] == ["ofac-900001"]
    assert engine.screen(Subject(["Babrak Zadrani"]), brought).alerts == []


def test_a_list_of_another_engine_is_stale_until_it_is_loaded_again(tmp_path):
    path = file(tmp_path, sample_lists.ofac_sdn_xml())
    load(path)
    ListVersion.objects.update(engine_version="0")
    ListName.objects.update(tokens="read otherwise")
    assert status.all_lists()[0].is_stale
    load(path)
    assert not status.all_lists()[0].is_stale
    assert not ListName.objects.filter(tokens="read otherwise").exists()
    assert alerts("Babrak Zadrani") == ["ofac-900008"]


def with_older_engine(version: ListVersion) -> None:
    """As an engine before this one had loaded it: other words, other numbers, no index of use."""
    ListVersion.objects.filter(pk=version.pk).update(engine_version="1")
    names = ListName.objects.filter(entity__external_id="ofac-900008")
    names.update(tokens="read otherwise")
    ListName.objects.filter(entity__external_id="ofac-900001").delete()
    ListIdentifier.objects.update(value="read otherwise")
    ListPosting.objects.update(names=b"")


def test_an_engine_upgrade_indexes_a_list_again_by_itself(tmp_path, monkeypatch):
    old = load(file(tmp_path, sample_lists.ofac_sdn_xml()))
    tasks.reindex_lists()
    assert ListVersion.objects.get() == old  # nothing to do
    numbers = set(ListIdentifier.objects.values_list("value", flat=True))
    loaded_at = now() - timedelta(days=3)
    with_older_engine(old)
    ListVersion.objects.update(loaded_at=loaded_at)
    outcome = BusinessSanctions().judge(
        Subject(["Acorn Bakery"], "Organization"), DatabaseLists(), DEFAULT
    )
    assert outcome.verdict == "inconclusive"
    assert "indexed by version 1 of the engine" in outcome.explanation

    def cut_off(*_):
        raise OSError("killed")

    monkeypatch.setattr(writing, "write_postings", cut_off)
    tasks.reindex_lists()
    assert ListVersion.objects.get(status="active") == old
    [state] = status.all_lists()
    assert state.engine_before == "1"
    assert ListReindex.objects.get().reached == 13
    with pytest.raises(ListError, match="loaded already"):
        load(file(tmp_path, sample_lists.ofac_sdn_xml()))
    monkeypatch.undo()
    ListReindex.objects.update(due_at=now() - timedelta(seconds=1))
    tasks.reindex_lists()

    new = ListVersion.objects.get(status="active")
    assert ListVersion.objects.count() == 2  # the run that was cut off went on
    assert (new.sha256, new.loaded_at) == (old.sha256, loaded_at)
    assert set(ListIdentifier.objects.values_list("value", flat=True)) == numbers
    assert alerts("Babrak Zadrani") == ["ofac-900008"]
    assert alerts("Teodor Korbutski", birth_date="1961-03-14") == ["ofac-900001"]
    assert not status.all_lists()[0].is_stale
    line = CaseEvent.objects.get(what="list_indexed_again")
    assert line.data["engine_before"] == "1"
    tasks.reindex_lists()
    assert ListVersion.objects.count() == 2


def test_a_worker_that_lost_its_lease_activates_no_index(tmp_path):
    old = load(file(tmp_path, sample_lists.ofac_sdn_xml()))
    with_older_engine(old)
    slow = ListReindex.objects.get()
    ListReindex.objects.update(claim_count=5)
    with pytest.raises(LeaseLostError):
        reindexing.perform(slow)
    assert ListVersion.objects.get() == old


def test_an_earlier_worker_leaves_a_newer_index_alone(tmp_path):
    version = load(file(tmp_path, sample_lists.ofac_sdn_xml()))
    ListVersion.objects.update(engine_version="9000")
    tasks.reindex_lists()
    assert ListVersion.objects.get() == version
    assert ListReindex.objects.get().due_at > now()


def test_a_csv_of_ones_own_with_a_column_map(tmp_path):
    path = file(tmp_path, b"Who,Born\nAdaeze Nwokolo,1958-02-11\n", "own.csv")
    source = catalogue.source(
        "own",
        format="generic_csv",
        topics=["internal"],
        columns={"name": "Who", "birth_date": "Born"},
    )
    loading.load(source, path)
    assert alerts("Adaeze Nwokolo", birth_date="1958-02-11") != []
    with pytest.raises(ListError, match="ends early"):
        loading.load(source, file(tmp_path, b"Who,Born\nAdaeze Nwokolo\n", "cut.csv"))
    with pytest.raises(ListError, match="there twice"):
        loading.load(source, file(tmp_path, b"Who,who\nAdaeze,Nwokolo\n", "two.csv"))
    with pytest.raises(ListError, match="Who"):
        loading.load(source, file(tmp_path, b"Name,Born\nAdaeze,1958\n", "other.csv"))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("name;date_of_birth\nNwokolo, Adaeze;1958-02-11\n", "utf-8"),
        ("name\tdate_of_birth\r\nNwokolo, Adaeze\t1958-02-11\r\n", "utf-16"),
    ],
)
def test_a_csv_as_spreadsheets_save_it(tmp_path, text, encoding):
    path = file(tmp_path, text.encode(encoding), "own.csv")
    loading.load(catalogue.source("own", format="generic_csv"), path)
    assert alerts("Adaeze Nwokolo", birth_date="1958-02-11") != []


def test_a_csv_of_an_unknown_encoding_is_refused(tmp_path):
    content = "name,date_of_birth\nMüller,1958\n".encode("cp1252")
    with pytest.raises(ListError, match="save it as CSV in UTF-8"):
        loading.load(
            catalogue.source("own", format="generic_csv"),
            file(tmp_path, content, "own.csv"),
        )


def test_an_unknown_list_needs_a_format(tmp_path):
    with pytest.raises(CommandError, match="Say which format"):
        call_command("load_list", "mine", str(tmp_path / "x.csv"))


def test_a_vessel_in_a_batch_is_no_company(tmp_path):
    path = file(tmp_path, b"Who,Kind\nCORAL TERN,Vessel\n", "own.csv")
    source = catalogue.source(
        "own",
        format="generic_csv",
        topics=["sanction"],
        columns={"name": "Who", "schema": "Kind"},
    )
    loading.load(source, path)
    out = tmp_path / "out.csv"
    result = file(
        tmp_path, b"name,type\nCoral Tern,vessel\nCoral Tern,company\n", "asked.csv"
    )
    call_command("screen", str(result), "--output", str(out), stderr=io.StringIO())
    _, vessel, company = out.read_text().splitlines()
    assert ",hit," in vessel
    assert ",no match," in company


def test_screening_in_batches(tmp_path):
    load(file(tmp_path, sample_lists.ofac_sdn_xml()))
    people = "name,type,date_of_birth,nationality,identifiers\nTeodor Korbutski,person,1961-03-14,BY,\nJo Smith,person,,,\n"
    out = tmp_path / "out.csv"
    path = file(tmp_path, people.encode(), "people.csv")
    call_command("screen", str(path), "--output", str(out), stderr=io.StringIO())
    _, line, other = out.read_text().splitlines()
    assert ",no match," in other
    assert "ofac-900001" in line
    assert "strong" in line


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025-13-45", "2025"), ("1967-02-30", "1967-02"), ("1967-00-00", "1967"), ("1967-05-00", "1967-05"),
        ("1967-05-06", "1967-05-06"), ("2024-05-15T00:00:03Z", "2024-05-15"), ("1967", "1967"), ("1967-05", "1967-05"),
        ("1967-05-061", ""),
    ],
)  # fmt: skip
def test_a_day_that_there_is_not_is_no_part_of_a_date(text, day):
    assert date(text) == day
