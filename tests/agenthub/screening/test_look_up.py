"""An analyst looks up a part of a name, or a number, over the wire."""

from __future__ import annotations

import pytest

from agenthub.models.lists import ListVersion
from agenthub.screening import catalogue, loading, sample_lists

pytestmark = pytest.mark.django_db


@pytest.fixture
def look_up(caller, tmp_path):
    path = tmp_path / "SDN.XML"
    path.write_bytes(sample_lists.ofac_sdn_xml())
    loading.load(catalogue.source("ofac_sdn"), path)

    def look_up(name: str, **values):
        answer = caller.post("lookUpName", {"name": name, **values})
        assert answer.status_code == 200, answer.content
        return answer.json()

    return look_up


def ids(answer) -> list[str]:
    return [hit["entry"]["id"] for hit in answer["hits"]]


def test_parts_of_names_other_scripts_and_numbers_are_looked_up(look_up):
    # A family name alone, which a screening cannot tell; its beginning; with a slip; in other letters.
    for name in ("Korbutsky", "korb", "Korbutzky", "Корбутский"):
        assert ids(look_up(name))[0] == "ofac-900001", name
    assert ids(look_up("التماني"))[0] == "ofac-900002"
    assert ids(look_up("Quentin Abernathy")) == []
    [hit] = look_up("CN 4471902")["hits"]
    assert hit["how"] == "number"


def test_why_and_which_lists(look_up):
    answer = look_up("korb", date_of_birth="1961-03-14")
    [hit] = answer["hits"]
    assert {
        "query": "korb",
        "listed": "korbutsky",
        "how": "begins with it",
    }.items() <= hit["alignment"][0].items()
    assert hit["score"] > hit["whole_name_score"]
    assert hit["facts"][0]["stand"] == "corroborates"
    assert [one["slug"] for one in answer["lists"]] == ["ofac_sdn"]
    assert look_up("ဇော်")["not_compared"]


def test_what_is_being_loaded_is_no_answer_yet(look_up):
    ListVersion.objects.update(status="staging")
    assert look_up("korb")["hits"] == []


def test_a_name_is_looked_up_in_every_reading_of_a_screening(look_up, tmp_path):
    path = tmp_path / "own.csv"
    people = ("Reza Zarifian", "Hryhorii Haiduk", "Manizheh Naderi", "Bank of Dandong")
    path.write_text("\n".join(["name", *people]), encoding="utf-8")
    source = catalogue.source("own", format="generic_csv", topics=["sanction"])
    loading.load(source, path)
    asked = ("رضا ظريفيان", "Гайдук", "منیژه", "丹东银行")
    for listed, name in zip(people, asked, strict=True):
        names = [hit["name"]["listed"] for hit in look_up(name)["hits"]]
        assert listed in names, name


@pytest.mark.parametrize("lists", [["un"], ["ofac_sdm"], ["ofac_sdn", "ofac_sdm"]])
def test_a_list_that_is_not_active_is_refused_and_not_searched_in_silence(
    look_up, caller, lists
):
    """No hits on a list that was never searched would be read as: nobody is listed."""
    answer = caller.post("lookUpName", {"name": "korb", "lists": lists})
    assert answer.status_code == 400
    [fault] = answer.json()["detail"]
    assert fault["loc"] == ["lists", len(lists) - 1]
    assert fault["type"] == "unknown_list"
    assert lists[-1] in fault["msg"]
