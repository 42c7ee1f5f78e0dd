"""Kinds of letters at which a value was wrong or missing: each with the layout that caused it."""

from __future__ import annotations

import pytest

from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.proof_of_address.labels import HOLDER, of_kind
from checks.wire import JsonObject
from tests.checks.documents import evidence_of, make_pdf
from tests.checks.made_texts.drawing import LATIN, MadeText, draw


def read(body: str) -> JsonObject:
    document = draw(MadeText("letter", "poa-letter", {}, LATIN, (50, 340), body))
    tool = ProofOfAddressExtraction("kyc")
    return dict(tool.run(evidence_of(document)).payload["extraction_data"])


def candidates(data: JsonObject, member: str) -> list[str]:
    several = data["evidence"][member].get("candidates", ())
    return [str(candidate["value"]) for candidate in several]


def test_the_second_of_two_holders_is_not_the_name_of_the_window():
    data = read("""ALAN PIKE |
OR DORA PIKE |
12 Mill Lane |
York |
YO1 7EP |
# Your savings account
4 May 2026
Dear Mr and Mrs Pike
Your rate has changed.""")

    assert data["holder_name"] == "ALAN PIKE"


def test_a_form_of_address_is_no_part_of_the_name():
    data = read("""Studio Carso S.r.l. | Data: 4/05/2026

Egr. Dott. Matteo Sanvitale |
Viale Trieste 61 |
34132 Trieste |
# Avviso""")

    assert data["holder_name"] == "Dott. Matteo Sanvitale"


def test_a_name_at_the_top_above_its_address_is_not_the_holder_for_being_repeated():
    data = read("""Henrik Mühlbauer |
Mariahilfer Weg 118, 1070 Wien |
# Rechnung
Rechnungsdatum: 23.03.2026
Ihr Installateur Henrik Mühlbauer dankt für den Auftrag.""")

    assert data["holder_name"] is None


def test_the_landlord_of_a_receipt_is_not_the_holder():
    data = read("""# Quittance de loyer
Bailleur : SCI Les Remparts
SCI Les Remparts |
18 cours Lafayette |
69006 Lyon |
La société SCI Les Remparts donne quittance.""")

    assert data["holder_name"] is None


def test_the_name_at_the_bottom_beside_the_particulars_sends_the_letter():
    lines = ["Saga Lind Berg", "Björkstigen 12", "752 31 Uppsala", "", "Elfaktura"]
    lines += [""] * 36
    lines.append("Fyris Förlag AB · Säte Uppsala")
    tool = ProofOfAddressExtraction("kyc")
    document = evidence_of(make_pdf("\n".join(lines)))
    data = tool.run(document).payload["extraction_data"]

    assert data["holder_name"] == "Saga Lind Berg"


@pytest.mark.parametrize(
    "line", ["Box 118, 751 04 Uppsala", "Private Bag X205", "Natural gas bill"]
)
def test_a_box_or_a_heading_sends_no_bill(line):
    data = read(f"""{line}
Org.nr 556117-7281

Saga Lind Berg |
Björkstigen 12 |
752 31 Uppsala |""")

    assert data["issuer"] is None
    assert line.split(",")[0] not in str(candidates(data, "issuer"))


def test_the_date_is_found_by_its_label_without_accents():
    data = read("""Ing. Bohumil Straka |
Lidicka 77 |
602 00 Brno |
# Faktura
Datum splatnosti: 24.06.2026
Datum vystaveni: 10.06.2026""")

    assert data["date"] == "2026-06-10"


def test_the_first_of_a_month_is_read_as_ocr_writes_it():
    data = read("""Quittance de loyer du 01/10/2026 au 31/10/2026
Fait a Lyon, le ler octobre 2026""")

    assert data["date"] == "2026-10-01"


def test_the_line_above_a_window_is_the_sender_though_somebody_is_named_below_the_name():
    data = read("""Peakline |
Peakline - PO Box 601 - Denver, CO 80206 |
COPPER BAKERY LLC |
ATTN: J RUIZ |
2231 LARIMER ALLEY STE 100 |
DENVER CO 80205 |
# Invoice
Invoice date: May 4, 2026""")

    assert data["holder_name"] == "COPPER BAKERY LLC"


def test_a_heading_beside_a_label_is_not_its_value():
    body = """Titulaire du compte | Identité bancaire |
ATELIER FONTVIEILLE SARL | IBAN FR76 1130 6000 |
3 IMPASSE DU MOULIN | BIC CRLUFRPP |
13090 AIX-EN-PROVENCE |  |"""
    document = draw(MadeText("letter", "poa-letter", {}, LATIN, (50, 340), body))

    [entry] = of_kind(evidence_of(document), HOLDER)

    assert entry.lines[0] == "ATELIER FONTVIEILLE SARL"


def test_who_receives_a_letter_for_the_addressee_is_not_its_holder():
    data = read("""Rörteknik i Härnösand AB |
Industrigatan 9 |
871 53 HÄRNÖSAND |

Faktureringsadress |
Bostadsrättsföreningen Måsen 4 |
c/o HSB Redovisning |
Strandvägen 22 |
871 42 HÄRNÖSAND |
# Faktura 1188
Fakturadatum: 2026-05-20""")

    assert data["holder_name"] == "Bostadsrättsföreningen Måsen 4"


def test_a_title_above_the_line_of_a_receiver_is_of_the_holder():
    data = read("""Herrn Kosta Papadimas |
c/o Wohngemeinschaft Ring |
Gutenbergring 5 |
90411 Nürnberg |
# Ihre Rechnung
Rechnungsdatum 04.10.2026""")

    assert data["holder_name"] == "Kosta Papadimas"


def test_sender_and_holder_of_one_town_are_two():
    data = read("""Sydfyns Forsyning A/S |
Ryttermarken 21 |
5700 Svendborg |
CVR-nr. 11882044 |

Birthe Juhl |
Engvej 44 |
5700 Svendborg |
# Varmeregning
Fakturadato: 01.07.2026""")

    assert data["holder_name"] == "Birthe Juhl"
    assert data["address"]["street_1"] == "Engvej 44"
    assert data["issuer"] == "Sydfyns Forsyning A/S"


@pytest.mark.parametrize(
    ("label", "address"),
    [
        ("1. Imię i nazwisko", "4. Adres zamieszkania"),
        ("Ad\u0131 Soyad\u0131 / Name", "İkamet adresi / Address"),
        ("Nombre y apellidos/Razón social", "Domicilio fiscal"),
    ],
)
def test_a_label_with_a_number_or_in_two_languages_is_one(label, address):
    data = read(f"""# Certificate of residence
{label} | ALAN PIKE
{address} | LINDENHOF 8, 38448 WOLFSBURG
Given on 4 May 2026""")

    assert data["holder_name"] == "ALAN PIKE"
    assert data["address"]["street_1"] == "LINDENHOF 8"


def test_a_mark_is_given_with_the_rest_of_its_name():
    data = read("""# noordwind
J.E. van der Meulen |
Oude Haven 23 |
8861 AB HARLINGEN |
Noordwind Energie B.V., Postbus 4418, 9700 AE Groningen, KvK 01188204
# Jaarnota energie
Notadatum: 13 juli 2026""")

    assert data["issuer"] == "Noordwind Energie B.V."


def test_a_dutch_postal_code_has_letters_on_one_line_too():
    data = read("""J.E. van der Meulen |
Oude Haven 23 |
8861 AB HARLINGEN |
# Jaarnota energie
Leveringsadres: Oude Haven 23, 8861 AB Harlingen
Notadatum: 13 juli 2026""")

    assert data["address"]["postal_code"] == "8861 AB"
    assert data["address"]["city"] == "HARLINGEN"


def test_a_dutch_town_may_begin_with_an_apostrophe():
    data = read("""De heer R.M. Kuijpers |
Pijperstraat 144 |
2526 LK 'S-GRAVENHAGE |
# Aanslag 2025
Datum: 26 februari 2026""")

    assert data["address"]["postal_code"] == "2526 LK"


def test_the_label_of_a_number_behind_a_name_is_no_part_of_it():
    data = read("""Lumen del Sur, S.L. | Fecha: 19/02/2026
CONCEPCI\u00d3N BARRIENTOS |
CALLE HORNO 11 |
18001 GRANADA |
# Factura de luz
Titular: CONCEPCI\u00d3N BARRIENTOS NIF: 24118820K""")

    assert data["holder_name"] == "CONCEPCI\u00d3N BARRIENTOS"


def test_a_turkish_form_of_address_is_no_part_of_the_name():
    data = read("""Marmara Ticaret Bankas\u0131 A.\u015e. |
Say\u0131n CEMALETT\u0130N A\u011eAO\u011eLU |
BARI\u015e CAD. 44/8 |
41050 \u0130ZM\u0130T |
# Hesap ekstresi
D\u00fczenleme Tarihi: 01.10.2026""")

    assert data["holder_name"] == "CEMALETT\u0130N A\u011eAO\u011eLU"


# A bill under a mark, and what its foot says.
MARK = """# Fjordlys
Gunnar Espeseth |
Strandgata 44 |
6905 Florø |
# Faktura
Fakturadato: 13.07.2026
Strøm fra Fjordlys: 1 184,20
{foot}"""


@pytest.mark.parametrize(
    ("foot", "issuer"),
    [
        (
            "Fjordlys er et varemerke av Sunnfjord Kraft AS, Org.nr 918 842 116",
            "Sunnfjord Kraft AS",
        ),
        (
            "Fjordlys é uma marca comercial de Águas do Minho, S.A. · NIPC 508118842",
            "Águas do Minho, S.A.",
        ),
        ("Sunnfjord Kraft AS, Org.nr 918 842 116", None),
    ],
)
def test_a_mark_is_not_given_beside_the_legal_name(foot, issuer):
    data = read(MARK.format(foot=foot))

    assert data["issuer"] == issuer
