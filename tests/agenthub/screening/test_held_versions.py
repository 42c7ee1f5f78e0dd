"""A version that reads well and is not what a list becomes is held; the active one stays."""

from __future__ import annotations

import gzip
import re
import zipfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agenthub.models.lists import HeldVersion, ListName, ListSource, ListVersion
from agenthub.screening import catalogue, loading, sample_lists, status
from agenthub.screening.formats import ListError
from agenthub.screening.index import to_record
from tests import factories
from tests.reviews.pages.case.rows import words

pytestmark = pytest.mark.django_db

WHOLE = sample_lists.ofac_sdn_xml()
[DATE] = re.findall(rb"<Publish_Date>(.*?)</Publish_Date>", WHOLE)


def dated(day: bytes) -> bytes:
    return WHOLE.replace(DATE, day)


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (
            re.sub(rb"<lastName>.*?</lastName>", b"<lastName>X</lastName>", WHOLE),
            "are not found",
        ),
        (re.sub(rb"<firstName>", b"<firstName>Qz", WHOLE), "not what they were"),
        (re.sub(rb"<uid>9", b"<uid>7", WHOLE), "another id"),
        (
            re.sub(rb"<akaList>.*?</akaList>", b"", WHOLE, flags=re.DOTALL),
            "names, the active",
        ),
        (dated(b"10/30/2024"), "older than"),
        (dated(b"10/30/2099"), "in the future"),
    ],
)
def test_a_spoilt_version_is_held_until_a_person_accepts_it(tmp_path, spoilt, why):
    path = tmp_path / "SDN.XML"
    path.write_bytes(WHOLE)
    active = loading.load(catalogue.source("ofac_sdn"), path)
    assert spoilt != WHOLE
    path.write_bytes(spoilt)
    with pytest.raises(CommandError, match=why):
        call_command("load_list", "ofac_sdn", str(path))
    assert ListVersion.objects.get(status="active") == active
    [listed] = status.all_lists()
    assert listed.refused.startswith("Held for a person")
    assert listed.held is not None

    call_command("load_list", "ofac_sdn", str(path), "--accept")
    assert ListVersion.objects.get(status="active") != active
    assert status.all_lists()[0].held is None
    assert not HeldVersion.objects.exclude(file="").exists()


ROWS = [
    ("1", "Teodor Korbutsky", "1961-03-14"), ("2", "Marguerite Oyelaran", "1970-01-02"),
    ("3", "Quill Harbour Trading LLC", ""), ("4", "José Núñez", "1955-05-05"),
    *((str(n), f"Zylo Brume {chr(65 + n)}ander", f"19{n + 40}-01-01") for n in range(5, 25)),
]  # fmt: skip


def csv(rows: Sequence[tuple[str, ...]], encoding: str = "utf-8") -> bytes:
    lines = ["id,name,birth_date", *(",".join(row) for row in rows)]
    return ("\n".join(lines) + "\n").encode(encoding)


def load(tmp_path, content: bytes, **values: Any) -> ListVersion:
    path = tmp_path / "list.csv"
    path.write_bytes(content)
    source = catalogue.source("own", format="generic_csv")
    return loading.load(source, path, **values)


MOJIBAKE = [(i, n.replace("a", "Ã¡"), b) for i, n, b in ROWS]
SPOILT = {
    "halved": csv(ROWS[: len(ROWS) // 2]),
    "all the same": csv([(i, "Teodor Korbutsky", b) for i, _, b in ROWS]),
    "mojibake": csv(MOJIBAKE),
    "letters lost": csv([(i, n.replace("o", "?"), b) for i, n, b in ROWS]),
    "replacement characters": csv([(i, n.replace("e", "\ufffd"), b) for i, n, b in ROWS]),
    "latin-1": csv(ROWS, "latin-1"),
    "a page in place of the list": b"<!DOCTYPE html><html><body><h1>503</h1></body></html>",
    "an empty file": b"",
    "names a column further": csv([(i, b or "1960-01-01", n) for i, n, b in ROWS]),
    "grown without reason": csv([*ROWS, *((f"x{n}", f"Nobody {chr(97 + n % 26)}{chr(97 + n // 26)}qu Tallow", "") for n in range(60))]),
    "every entry twice": csv([*ROWS, *ROWS]),
}  # fmt: skip


@pytest.mark.parametrize("name", SPOILT)
def test_no_spoilt_file_takes_the_place_of_a_good_one(tmp_path, name):
    active = load(tmp_path, csv(ROWS))
    names = {*ListName.objects.values_list("pk", "tokens")}
    with pytest.raises(ListError):
        load(tmp_path, SPOILT[name])
    active.refresh_from_db()
    assert active.status == "active"
    assert {*ListName.objects.values_list("pk", "tokens")} == names


@pytest.mark.parametrize(
    "name",
    [
        "all the same",
        "mojibake",
        "letters lost",
        "names a column further",
        "every entry twice",
    ],
)
def test_the_first_version_must_be_sound_too(tmp_path, name):
    with pytest.raises(ListError, match=r"Held for a person: .* No version is active"):
        load(tmp_path, SPOILT[name])
    assert not ListVersion.objects.filter(status="active").exists()


def test_a_sound_list_is_loaded_and_a_small_change_too(tmp_path):
    load(tmp_path, csv(ROWS))
    changed = [
        *ROWS[:-1],
        ("24", "Zylo Brume Newander", "1950-02-02"),
        ("99", "Ngozi Adeyemi", ""),
    ]
    version = load(tmp_path, csv(changed))
    version.refresh_from_db()
    assert (version.status, version.changes["added"], version.changes["changed"]) == (
        "active",
        1,
        1,
    )


def test_empty_aliases_are_no_names(tmp_path):
    """An alias without a word in it matches nobody, and is no reason to hold a version."""
    path = tmp_path / "SDN.XML"
    path.write_bytes(WHOLE)
    loading.load(catalogue.source("ofac_sdn"), path)
    names = ListName.objects.count()
    empty = re.sub(
        rb"(<aka>.*?<lastName>).*?(</lastName>)",
        rb"\1 \2",
        WHOLE,
        count=1,
        flags=re.DOTALL,
    )
    path.write_bytes(empty)
    try:
        loading.load(catalogue.source("ofac_sdn"), path)
    except ListError:
        assert ListVersion.objects.filter(status="active").count() == 1
    assert not ListName.objects.filter(tokens="", entity__last_version=None).exists()
    assert ListName.objects.count() >= names - 1


def test_names_that_must_be_found_hold_a_version_without_them(tmp_path):
    load(tmp_path, csv(ROWS))
    ListSource.objects.update(
        canaries=["KORBUTSKY, Teodor", "quill harbour trading llc"]
    )
    load(tmp_path, csv([*ROWS[:-1], ("24", "Zylo Brume Zander", "")]))
    without = [row for row in ROWS if row[0] != "1"]
    with pytest.raises(
        ListError, match="must be found are not found in it: “KORBUTSKY, Teodor”"
    ):
        load(tmp_path, csv(without))
    assert ListVersion.objects.filter(status="active").count() == 1


def test_names_that_must_be_found_count_for_the_first_version(tmp_path):
    source = catalogue.source("own", format="generic_csv", canaries=["Ngozi Adeyemi"])
    with pytest.raises(ListError, match="Ngozi Adeyemi"):
        load(tmp_path, csv(ROWS))
    assert status.of(source).held is not None


def test_the_same_file_is_held_once_however_often_it_comes(tmp_path):
    load(tmp_path, csv(ROWS))
    for _ in range(3):
        with pytest.raises(ListError, match="Held for a person"):
            load(tmp_path, SPOILT["mojibake"])
    assert ListVersion.objects.count() == 2
    # A good one takes its place.
    load(tmp_path, csv([*ROWS, ("77", "Ngozi Adeyemi", "")]))
    assert HeldVersion.objects.get().status == "discarded"


class TestRelease:
    @pytest.fixture
    def boss(self, client):
        client.force_login(factories.make_user("ada", role="hub administrator"))
        return client

    @pytest.fixture
    def waiting(self, tmp_path):
        load(tmp_path, csv(ROWS))
        with pytest.raises(ListError):
            load(tmp_path, SPOILT["grown without reason"])
        return HeldVersion.objects.get()

    def page(self, browser) -> str:
        return words(browser, "/hub/lists/own/")

    def url(self, row) -> str:
        return f"/hub/lists/own/release/{row.pk}/"

    def test_a_person_releases_it_with_a_reason_and_it_becomes_active(
        self, boss, waiting, work_off, caplog
    ):
        assert "It grew from" in self.page(boss)
        assert "Held" in words(boss, "/hub/lists/")
        with caplog.at_level("INFO", logger="agenthub.screening.held"):
            result = boss.post(
                self.url(waiting), {"reason": "A new programme."}, follow=True
            )
        assert "The version is released" in result.content.decode()
        assert f"held version {waiting.version_id} is released" in caplog.text
        work_off()
        active = ListVersion.objects.get(status="active")
        assert active.entity_count == len(ROWS) + 60
        assert active.sha256 == waiting.version.sha256
        page = self.page(boss)
        assert "Released by ada" in page
        assert "A new programme." in page
        waiting.refresh_from_db()
        assert (waiting.status, waiting.file.name) == ("active", "")
        again = boss.post(self.url(waiting), {"reason": "Twice."}, follow=True)
        assert "not held any more" in again.content.decode()

    def test_without_a_reason_nothing_is_released(self, boss, waiting, work_off):
        assert (
            "Nothing was released"
            in boss.post(
                self.url(waiting), {"reason": "  "}, follow=True
            ).content.decode()
        )
        work_off()
        waiting.refresh_from_db()
        assert waiting.status == "held"

    def test_only_administrators_release(self, client, waiting):
        client.force_login(factories.make_user("sven", role="senior"))
        assert client.post(self.url(waiting), {"reason": "x"}).status_code == 403
        waiting.refresh_from_db()
        assert waiting.status == "held"

    def test_a_file_that_changed_since_is_not_loaded(self, boss, waiting, work_off):
        with Path(waiting.file.path).open("ab") as file:
            file.write(b"666,Somebody Else,\n")
        boss.post(self.url(waiting), {"reason": "Fine."})
        work_off()
        waiting.refresh_from_db()
        assert waiting.status == "held"
        assert "SHA-256 differs" in waiting.error
        assert "SHA-256 differs" in self.page(boss)
        assert ListVersion.objects.get(status="active").entity_count == len(ROWS)

    def test_names_that_must_be_found_are_kept_on_the_page(self, boss, waiting):
        url = "/hub/lists/own/canaries/"
        result = boss.post(
            url, {"canaries": "Teodor  Korbutsky\n\nNobody Atall\n"}, follow=True
        )
        assert ListSource.objects.get().canaries == ["Teodor Korbutsky", "Nobody Atall"]
        assert "does not hold: Nobody Atall" in result.content.decode()
        for wrong in ("...", "x" * 300, "\n".join(f"Name {n} Abc" for n in range(51))):
            refused = boss.post(url, {"canaries": wrong})
            assert refused.status_code == 422
            # What was typed is still in its field.
            assert wrong in refused.content.decode()
            assert len(ListSource.objects.get().canaries) == 2
        boss.post(url, {"canaries": ""})
        assert ListSource.objects.get().canaries == []


MANY = [
    (str(n), f"{first} {last}", "")
    for n, (first, last) in enumerate(
        product(
            (
                "Ansa",
                "Bero",
                "Cilo",
                "Dusa",
                "Emre",
                "Fadi",
                "Gero",
                "Hila",
                "Ivo",
                "Jana",
                "Kiro",
                "Lumo",
                "Mira",
                "Nedo",
                "Orla",
            ),
            (
                "Tallow",
                "Brume",
                "Quillon",
                "Oyelar",
                "Nakhod",
                "Velarde",
                "Zadran",
                "Korbut",
            ),
        )
    )
]


def test_a_file_that_was_cut_off_at_the_end_of_a_line_is_held(tmp_path):
    """Entries are taken off a list a few at a time."""
    load(tmp_path, csv(MANY))
    with pytest.raises(ListError, match="It lost 6 of 120 entries"):
        load(tmp_path, csv(MANY[:-6]))
    load(tmp_path, csv(MANY[:-1]))


def test_an_older_state_is_held_under_whatever_date(tmp_path):
    load(tmp_path, csv(MANY))
    later = [*((i, f"{name} the Younger", b) for i, name, b in MANY[:6]), *MANY[6:]]
    load(tmp_path, csv(later))
    with pytest.raises(ListError, match="the very file that was loaded on"):
        load(tmp_path, csv(MANY))
    with pytest.raises(
        ListError, match="6 of 7 entries that are new in it are as an earlier"
    ):
        load(tmp_path, csv([*MANY, ("new", "Quirin Ashgrove", "")]))
    load(tmp_path, csv([*later, ("new", "Quirin Ashgrove", "")]))


@pytest.mark.parametrize("letter", ["&#225;", "&aacute;", "\\xe1", "\\u00e1", "%C3%A1"])
def test_letters_written_in_the_way_of_a_program_are_a_wrong_encoding(tmp_path, letter):
    rows = [(i, n.replace("a", letter), b) for i, n, b in ROWS]
    with pytest.raises(ListError, match="show a wrong encoding"):
        load(tmp_path, csv(rows))


@pytest.mark.parametrize(
    ("name", "format"), [("list.csv.gz", "generic_csv"), ("list.zip", "generic_csv"),
                         ("list.xml.gz", "un_xml"), ("list.json.gz", "ftm_json")]
)  # fmt: skip
def test_a_file_that_unpacks_to_a_thousand_times_its_size_is_refused(
    tmp_path,
    name,
    format,  # noqa: A002
):
    path = tmp_path / name
    start = (
        b"<CONSOLIDATED_LIST dateGenerated='2026-01-01'>" if "xml" in format else b"\n"
    )
    # Lines, because one that long is refused for its own length.
    blank = start + (b" " * 1023 + b"\n") * (70 << 10)
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("list.csv", blank)
    else:
        path.write_bytes(gzip.compress(blank, 6))
    with pytest.raises(ListError, match="unpacks to more than 64 MB"):
        loading.load(catalogue.source("packed", format=format), path)


def _own_list(tmp_path: Path, rows: Sequence[str]) -> ListVersion:
    path = tmp_path / "own.csv"
    path.write_text("\n".join(["id,name,type", *rows]))
    return loading.load(catalogue.source("own", format="generic_csv"), path)


def test_a_name_too_long_to_be_compared_whole_holds_the_version(tmp_path):
    name = "Korbut " * 60
    with pytest.raises(ListError, match="1 of 3 names are longer than 400 characters"):
        _own_list(
            tmp_path, ["1,Ada Byrne,person", "2,Jo Roe,person", f"3,{name},person"]
        )


def test_entries_of_one_id_hold_the_version(tmp_path):
    people = [f"{2024 if n % 2 else n},Ada{n} Byrne{n},person" for n in range(20)]
    with pytest.raises(ListError, match="9 of 20 entries have the id of another entry"):
        _own_list(tmp_path, people)


def test_a_list_counts_what_a_latin_name_may_not_find(tmp_path):
    rows = [
        "1,中兴通讯股份有限公司,company",
        "2,Acme LLC,company",
        "3,金正恩,person",
        "4,Jo Roe,person",
    ]
    record = to_record(_own_list(tmp_path, rows))
    assert (record.other_letters, record.unreadable_people) == (1, 1)
