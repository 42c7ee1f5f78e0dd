"""Holder and address of a letter or bill: given where two readings agree, else candidates."""

from __future__ import annotations

from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.wire import JsonObject
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw

ADDRESS = "address"
NAME = "holder_name"


def read(body: str) -> JsonObject:
    document = draw(MadeText("letter", "poa-letter", {}, LATIN, (50, 340), body))
    tool = ProofOfAddressExtraction("kyc")
    return dict(tool.run(evidence_of(document)).payload["extraction_data"])


def candidates(data: JsonObject, member: str) -> list[str]:
    several = data["evidence"][member]["candidates"]
    return [str(candidate["value"]) for candidate in several]


def test_a_window_is_given_where_somebody_else_sends_the_letter():
    data = read("""Harbour Water Ltd | Bill date: 4 May 2026

Alan Pike |
12 Mill Lane |
York |
YO1 7EP |
# Your water bill""")

    assert data[NAME] == "Alan Pike"
    assert data[ADDRESS]["postal_code"] == "YO1 7EP"


def test_a_window_alone_is_unsure_for_it_may_be_the_senders():
    data = read("""Alan Pike |
12 Mill Lane |
York |
YO1 7EP |
# Your water bill
Bill date: 4 May 2026""")

    assert data[NAME] is None
    assert data[ADDRESS] is None
    assert candidates(data, NAME) == ["Alan Pike"]
    assert candidates(data, ADDRESS) == ["12 Mill Lane, York, YO1 7EP"]


def test_a_greeting_is_a_second_reading_of_the_addressee():
    data = read("""Alan Pike |
12 Mill Lane |
York |
YO1 7EP |
# Your pension
4 May 2026
Dear Mr Pike
We have changed your pension.""")

    assert data[NAME] == "Alan Pike"


def test_a_place_that_is_served_and_another_window_leave_the_address_unsure():
    data = read("""Arno Luce e Gas | Data di emissione: 08/10/2026

Gent.ma Sig.ra |
Federica Marchetti |
Via Bolognese 12 |
50139 Firenze FI |
# La tua bolletta
Intestatario | Federica Marchetti
Indirizzo di fornitura | Via dei Mille 48, 50131 Firenze FI""")

    assert data[NAME] == "Federica Marchetti"
    assert data[ADDRESS] is None
    assert candidates(data, ADDRESS) == [
        "Via dei Mille 48, Firenze FI, 50131",
        "Via Bolognese 12, Firenze FI, 50139",
    ]


def test_a_place_that_is_served_is_given_where_the_letter_goes_to_a_box():
    data = read("""Bayside Energy Pty Ltd | Issue date: 9 Oct 2026

MR JOSHUA TRAN |
PO BOX 44 |
MENTONE VIC 3194 |
# Your electricity bill
Supply address | 6/41 Beach Rd, Beaumaris VIC 3193""")

    assert data[ADDRESS]["street_1"] == "6/41 Beach Rd"


def test_another_address_of_the_text_makes_the_window_unsure():
    data = read("""Harbour Water Ltd | Bill date: 4 May 2026

Mr Alan Pike |
12 Mill Lane |
York |
YO1 7EP |
# Your water bill
Premises | 9 Tower Street, York YO1 9WR""")

    assert data[NAME] == "Alan Pike"
    assert candidates(data, ADDRESS) == [
        "9 Tower Street, York, YO1 9WR",
        "12 Mill Lane, York, YO1 7EP",
    ]


def test_a_label_and_a_window_that_name_two_people_leave_the_holder_unsure():
    data = read("""Oakwell Lettings Ltd | Statement date: 5 October 2026

Mr Piotr Nowak |
9 Chapel Row |
Leeds |
LS6 1QT |
# Landlord statement
Tenant | Ms Ellie Sanders""")

    assert data[NAME] is None
    assert candidates(data, NAME) == ["Ellie Sanders", "Piotr Nowak"]


def test_a_company_above_a_person_in_the_window_leaves_the_holder_unsure():
    data = read("""Citadelle Syndic SAS | Lyon, le 1 juillet 2026
 |
SCI DES TILLEULS |
M. Georges PERRIN |
40 cours Gambetta |
69007 LYON |
# Appel de fonds""")

    assert data[NAME] is None
    assert candidates(data, NAME) == ["SCI DES TILLEULS", "Georges PERRIN"]


def test_a_department_above_the_name_is_no_holder():
    data = read("""Lumen Energy Supply Ltd | Invoice date: 3 November 2026

The Accounts Manager |
Halden Joinery Limited |
40 Church Street |
Nelson BB9 7EN |
# Electricity invoice""")

    assert data[NAME] == "Halden Joinery Limited"


def test_buyer_and_seller_beside_each_other_are_told_by_their_labels():
    data = read("""# Faktura 26118822
Datum vystavení: 19.10.2026
Dodavatel | Odběratel
Prádelna Bílá, spol. s r.o. | Hotel Orlice s.r.o.
Tovární 3, 537 01 Chrudim | Masarykovo náměstí 12, 530 02 Pardubice""")

    assert data[NAME] == "Hotel Orlice s.r.o."


def test_the_day_of_a_paper_that_a_sentence_names_is_not_that_of_the_letter():
    data = read("""Falcon Managers Ltd | 4 May 2026

Umoja Logistics Ltd |
5 Electron Avenue |
York |
YO1 7EP |
We confirm that you occupy the premises under a lease dated 1 March 2023.""")

    assert data["date"] != "2023-03-01"


def test_the_end_of_a_period_in_the_future_is_not_the_day_of_the_paper():
    data = read("""Assurance Romande SA | Lausanne, 25 septembre 2026

Monsieur |
Luc Berthoud |
Chemin des Vignes 21 |
1009 Pully |
# Facture de prime
Période | 01.01.2090 - 31.12.2090""")

    assert data["date"] in {None, "2026-09-25"}


def test_a_column_of_days_headed_by_a_word_is_not_the_day_of_the_statement():
    """OCR may read the first day of a table right behind the head of its column."""
    data = read("""Caja Rural del Ega
EXTRACTO DE CUENTA
Fecha 01/10/2026
28/10/2026 Nómina Cooperativa 1.644,00
31/10/2026 Saldo anterior 2.114,08""")

    assert data["date"] is None
    assert set(candidates(data, "date")) == {"2026-10-01", "2026-10-31"}


def test_a_day_that_may_be_read_in_two_orders_has_both_as_candidates():
    data = read("""Harbour Telecom
Your internet bill
Bill date: 05/04/2026
Total due 44.95""")

    assert data["date"] is None
    assert set(candidates(data, "date")) == {"2026-04-05", "2026-05-04"}


def test_another_day_of_the_text_tells_the_order_of_day_and_month():
    data = read("""Harbour Telecom
Your internet bill
Bill date: 05/04/2026
Meter read on 25/03/2026
Total due 44.95""")

    assert data["date"] == "2026-04-05"


def test_the_day_on_which_a_statement_was_made_out_is_its_date():
    data = read("""Crédit Coopératif d'Armorique
RELEVÉ DE COMPTE N° 10
du 1er au 31 octobre 2026
Édité le 2 novembre 2026""")

    assert data["date"] == "2026-11-02"


def test_a_tax_code_behind_a_name_is_no_part_of_it():
    data = read("""Acque della Barbagia S.p.A. | BOLLETTA SERVIZIO IDRICO
Data di emissione | 24/09/2026
Intestatario | PIRAS GAVINA C.F. PRSGVN80A41F979X
Indirizzo di fornitura | VIA GRAMSCI 14, 08100 NUORO
Totale da pagare | € 71,40""")

    names = [data[NAME]] if data[NAME] else candidates(data, NAME)
    assert names[0] == "PIRAS GAVINA"


def test_the_number_of_an_apartment_is_no_holder():
    data = read("""Creekside Electricity Authority
# Green Bill
Issue date: 11/10/2026

Premise |
Apartment, Al |
Nahda 2, Dubai |
P.O. Box 118844 |
Total due AED 844.18""")

    assert data[NAME] is None
