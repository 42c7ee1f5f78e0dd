"""Labels, judgements and shares of an evaluation of labelled documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checks.evaluation.judging import judge
from checks.evaluation.labels import LabelError, Labelled, read_labels
from checks.evaluation.report import faults_of, rows_of, table_of, wilson
from checks.evaluation.run import evaluate
from checks.samples import good_certificate

DOCUMENT = Path("a.pdf")


@pytest.fixture
def folder(tmp_path):
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path


def verdicts(truth, data):
    document = Labelled(DOCUMENT, "certificate", truth)
    return {j.field: j.verdict for j in judge(document, data)}


class TestLabels:
    def test_a_table_has_a_row_for_each_document(self, folder):
        (folder / "labels.csv").write_text(
            "file,kind,name,number,date,jurisdiction,address\n"
            "b.pdf,articles,Acme AG|Acme Ltd,-,,Switzerland,\n"
            "a.pdf,certificate,Kite Ltd,123|456,2020-02-01,,8001\n"
        )

        first, second = read_labels(folder)

        assert first.path.name == "a.pdf"
        assert first.truth == {
            "name": ["Kite Ltd"],
            "number": ["123", "456"],
            "date": ["2020-02-01"],
            "address": ["8001"],
        }
        assert second.kind == "articles"
        assert second.truth == {
            "name": ["Acme AG", "Acme Ltd"],
            "number": [],
            "jurisdiction": ["Switzerland"],
        }

    def test_a_file_of_json_may_stand_beside_each_document(self, folder):
        label = {"type": "extract", "name": "Kite", "regno": ["12"], "date": None}
        (folder / "a.json").write_text(json.dumps(label))
        (folder / "b.pdf.json").write_text('{"kind": "articles", "addr": []}')

        first, second = read_labels(folder)

        assert (first.kind, first.truth) == (
            "extract",
            {"name": ["Kite"], "number": ["12"]},
        )
        assert (second.kind, second.truth) == ("articles", {})

    def test_the_halves_are_told_by_the_content_and_share_no_document(self, folder):
        (folder / "labels.csv").write_text("file,name\na.pdf,A\nb.pdf,B\nc.pdf,C\n")

        built = read_labels(folder, part="built")
        result = read_labels(folder, part="kept")

        names = [d.path.name for d in (*built, *result)]
        assert sorted(names) == ["a.pdf", "b.pdf", "c.pdf"]
        assert built
        assert result

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("file,name\nd.pdf,D\n", "line 2: d.pdf is not in the folder"),
            ("file,name\n../a.pdf,D\n", "is not in the folder"),
            ("name\nD\n", "line 2: no file"),
            ('file,ground_truth\na.pdf,"[1]"\n', "not an object"),
            ('file,ground_truth\na.pdf,"{""name"": 1}"\n', "neither a text nor"),
            ("file,name\n", "no labelled documents"),
        ],
    )
    def test_a_label_that_cannot_be_used_is_named(self, folder, content, message):
        (folder / "labels.csv").write_text(content)

        with pytest.raises(LabelError, match=message):
            read_labels(folder)


class TestJudging:
    def test_values_are_right_wrong_unsure_or_missing(self):
        truth = {
            "name": ["Kite Ltd"],
            "number": ["00123"],
            "date": ["2020-02-01"],
            "jurisdiction": ["Florida"],
            "address": ["8715 Belle Rive"],
        }
        data = {
            "business_name": "KITE LIMITED",
            "business_registration_number": ["999", "123"],
            "incorporation_date": "2020-02-02",
            "jurisdiction": "Texas, United States",
            "business_address": None,
            "unsure": ["jurisdiction"],
            "evidence": {
                "jurisdiction": {"candidates": [{"value": "Texas, United States"}]}
            },
        }

        assert verdicts(truth, data) == {
            "name": "right",
            "number": "right",
            "date": "wrong",
            "jurisdiction": "unsure",
            "address": "missing",
        }

    @pytest.mark.parametrize(
        ("truth", "read", "verdict"),
        [
            ("287.90", "EUR 287.90", "right"),
            ("EUR 287.90", "287.90", "right"),
            ("EUR 287.90", "CHF 287.90", "wrong"),
            ("287.90", "EUR 289.70", "wrong"),
        ],
    )
    def test_a_sum_may_be_labelled_with_or_without_its_currency(
        self, truth, read, verdict
    ):
        assert verdicts({"total": [truth]}, {"total": read}) == {"total": verdict}

    def test_a_country_is_right_where_a_part_of_it_was_read(self):
        data = {"jurisdiction": "Scotland, United Kingdom"}
        assert verdicts({"jurisdiction": ["GB"]}, data) == {"jurisdiction": "right"}
        assert verdicts({"jurisdiction": ["France"]}, data) == {"jurisdiction": "wrong"}

    def test_a_value_that_the_document_does_not_state_is_wrong(self):
        truth: dict[str, list[str]] = {"number": []}
        assert verdicts(truth, {"ein": "12-3456789"}) == {"number": "wrong"}
        assert verdicts(truth, {}) == {"number": "rightly empty"}


class TestReport:
    def test_the_interval_is_that_of_wilson(self):
        low, high = wilson(8, 10)
        assert (round(low, 3), round(high, 3)) == (0.49, 0.943)
        assert wilson(0, 0) == (0.0, 1.0)

    def test_a_row_for_each_kind_and_field_and_for_all(self):
        truth: dict[str, list[str]] = {"name": ["Kite Ltd"], "number": []}
        good = judge(
            Labelled(DOCUMENT, "a", truth),
            {"business_name": "Kite Ltd", "ein": "12-3456789"},
        )
        poor = judge(Labelled(DOCUMENT, "b", truth), {})

        rows = [row.to_wire() for row in rows_of([*good, *poor])]

        assert [
            (r["kind"], r["field"], r["n"], r["right"], r["wrong"]) for r in rows
        ] == [
            ("a", "name", 1, 1, 0),
            ("a", "number", 1, 0, 1),
            ("b", "name", 1, 0, 0),
            ("b", "number", 0, 0, 0),
            ("all kinds", "name", 2, 1, 0),
            ("all kinds", "number", 1, 0, 1),
        ]
        assert [f["verdict"] for f in faults_of([*good, *poor])] == ["wrong", "missing"]
        assert "| all kinds | name | 2 | 1 | 0 | 0 | 1 | 50%" in table_of(
            rows_of([*good, *poor])
        )


def test_documents_are_read_as_by_a_job(tmp_path):
    sample = good_certificate()
    (tmp_path / "good.pdf").write_bytes(sample.content)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    label = {"type": "certificate", "name": sample.attested["business_name"]}
    for name in ("good", "broken"):
        (tmp_path / f"{name}.json").write_text(json.dumps(label))

    broken, good = evaluate(read_labels(tmp_path))

    assert [j.verdict for j in broken] == ["missing"]
    assert [j.verdict for j in good] == ["right"]
