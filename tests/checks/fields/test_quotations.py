# ruff: noqa: RUF001 - names in other scripts are its subject
"""Names with quotation marks are read with both, and to the closing one."""

from __future__ import annotations

from typing import Any

import pytest

from checks.fields.names.companies import clean
from checks.fields.names.shape import looks_like_name, rest_of_quotation
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from tests.checks.documents import evidence_of, make_pdf
from tests.checks.made_texts.drawing import LATIN, MadeText, draw


@pytest.mark.parametrize(
    "name",
    [
        'SIA "Kurzemes skārds"',
        "UAB „Nemuno Pluoštas“",
        "UAB „Nemuno Pluoštas”",
        "SIA “Baltās Kāpas”",
        "Oy ”Saimaan Savu” Ab",
        "ООО «Северный Ветер»",
        "SARL « LA RIVIÈRE D'ÉTEL »",
        "Firma »Nordlys«",
        "株式会社「白樺」",
        "UAB 'Kuršių tinklai'",
        '"ARAGATS OPTICS" Limited Liability Company',
        "„РОДОПИ ТЕКСТИЛ“ ЕООД",
        'ООО "Торговый дом "Ладога"',
        "Drivers' Union Ltd",
    ],
)
def test_the_marks_of_a_part_of_a_name_are_its_own(name):
    assert clean(name) == name


@pytest.mark.parametrize(
    "text",
    [
        '"Alfa Ltd"',
        "“Alfa Ltd”",
        "„Alfa Ltd“",
        "«Alfa Ltd»",
        "「Alfa Ltd」",
        "'Alfa Ltd',",
    ],
)
def test_the_marks_around_a_whole_name_are_not(text):
    assert clean(text) == "Alfa Ltd"


def test_a_comma_behind_the_mark_is_no_part_of_the_name():
    assert clean('SIA "Kurzemes skārds", ') == 'SIA "Kurzemes skārds"'


def read(body: str) -> dict[str, Any]:
    document = draw(MadeText("paper", "extract", {}, LATIN, (50, 340), body))
    outcome = IncorporationDocumentExtraction().run(evidence_of(document))
    data: dict[str, Any] = outcome.payload["extraction_data"]
    return data


EXTRACT = """МІНІСТЕРСТВО ЮСТИЦІЇ УКРАЇНИ
# ВИПИСКА
^ з Єдиного державного реєстру юридичних осіб
Найменування юридичної особи: ТОВАРИСТВО З ОБМЕЖЕНОЮ ВІДПОВІДАЛЬНІСТЮ {name}
Ідентифікаційний код юридичної особи: 43188442
Місцезнаходження юридичної особи: Україна, 76018, місто Івано-Франківськ, вулиця Січових Стрільців, будинок 18"""


@pytest.mark.parametrize("marks", ['""', "«»", "„“", "“”"])
def test_a_name_is_read_on_to_the_mark_that_closes_its_quotation(marks):
    name = f"{marks[0]}КАРПАТСЬКИЙ ЗОЛОТИЙ МЕД{marks[1]}"

    data = read(EXTRACT.format(name=name))

    whole = f"ТОВАРИСТВО З ОБМЕЖЕНОЮ ВІДПОВІДАЛЬНІСТЮ {name}"
    assert data["business_name"] == whole


def test_a_name_with_an_end_of_its_quotation_at_another_place_is_unsure():
    text = evidence_of(make_pdf('SIA "Kurzemes\nReg. Nr. jumti"')).text

    assert not looks_like_name(text, 'SIA "Kurzemes')
    assert rest_of_quotation(text, 'SIA "Kurzemes') == 'Reg. Nr. jumti"'
    assert looks_like_name(text, 'SIA "Ventas jumti')
