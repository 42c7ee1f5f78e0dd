"""What one reading alone gives: a value where it has the form of one, else candidates for a person."""

from __future__ import annotations

import pytest

from checks.ein_document.extraction import EinDocumentExtraction
from checks.fields.names.shape import looks_like_name
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.text.words import Text
from tests.checks.documents import evidence_of, extraction_of, make_pdf
from tests.checks.incorporation_document.test_registers import CASES
from tests.checks.made_texts.drawing import LATIN, MadeText, draw


@pytest.fixture(scope="module")
def empty() -> Text:
    """The text of a paper without names. It is read by OCR, too, which takes seconds."""
    return evidence_of(make_pdf("A paper")).text


@pytest.mark.parametrize(
    "name",
    [
        "LES SENTIERS DU HAUT-VIVARAIS",
        "Eheleute Karl und Ute Winkelmann",
        "MR D T & MRS J L HARGRAVES",
        "3345678 NOVA SCOTIA LIMITED",
        "Kiezkiste UG (haftungsbeschränkt)",
        "TIDEWAY (UK) LIMITED",
        "De heer R. Hoogeveen",
        "株式会社白樺製菓",
    ],
)
def test_a_name_looks_like_one(empty, name):
    assert looks_like_name(empty, name)


@pytest.mark.parametrize(
    "text",
    [
        # Words of labels, headings, roles and forms of address.
        "Service address",
        "DATOS DEL CLIENTE",
        "RC Number Date of Registration",
        "The Directors",
        "Gentile cliente",
        "Please return this portion with your payment",
        "Firma Nordsee Tangfarm GmbH",
        # A day whose year stands on the next line.
        "30 January",
        # Only words of legal forms, or one word alone.
        "der Partnerschaft",
        "Hagemeyer",
        # More than the name.
        "družstva: Jihlavské plátno, družstvo",
        "2/1. Tiszavirág Élelmiszeripari Kft",
        "LES SALINES DE FOURAS. Son sigle est LSF",
        "RUMBIA SAGO INDUSTRIES SDN. BHD. 202301041884 (1518842-K)",
        "Fromagerie des Verraux Sàrl (Verraux Käserei GmbH)",
        "PAŠKA ČIPKA d.o.o. za usluge 1 PAŠKA ČIPKA d.o.o.",
    ],
)
def test_what_is_read_with_more_than_a_name_does_not(empty, text):
    assert not looks_like_name(empty, text)


@pytest.mark.parametrize(
    "name", ["DATA VISION TECH LIMITED", "CITY BLOCK LTD", "CODE & DELIVERY LTD"]
)
def test_a_sentence_gives_a_name_whose_first_word_is_also_a_label(empty, name):
    assert looks_like_name(empty, name, is_in_sentence=True)
    assert not looks_like_name(empty, name)


def test_a_label_of_several_words_begins_no_name(empty):
    text = "Company name ALFA LTD"
    assert not looks_like_name(empty, text, is_in_sentence=True)


def test_one_word_is_a_name_where_a_long_label_and_a_second_place_have_it():
    lines = (
        "STATUTS",
        "Dénomination ou raison sociale : Heidewind",
        "Les associés de {}",
    )

    again = extraction_of(make_pdf("\n".join(lines).format("Heidewind")))
    once = extraction_of(make_pdf("\n".join(lines).format("la société")))

    assert again["business_name"] == "Heidewind"
    assert once["business_name"] is None


def test_a_name_that_stops_within_a_word_is_none():
    words = "La dénomination est : LES HUÎTRES DE LA RIVIÈRE D'ÉTEL"
    text = evidence_of(make_pdf(words)).text

    assert not looks_like_name(text, "LES HUÎTRES DE LA RIVIÈRE D")
    assert looks_like_name(text, "LES HUÎTRES DE LA RIVIÈRE D'ÉTEL")


def test_an_apostrophe_ends_no_quotation():
    data = extraction_of(
        make_pdf(
            "STATUTS\nArticle 3 - Dénomination. La dénomination est : "
            "« LES HUÎTRES DE LA RIVIÈRE D'ÉTEL »."
        )
    )

    assert data["business_name"] == "LES HUÎTRES DE LA RIVIÈRE D'ÉTEL"


def paper(*lines: str) -> bytes:
    body = "\n".join(lines)
    return draw(MadeText("paper", "extract", {}, "Inter-of-tests", (50, 250), body))


PARTNERS = (
    "# Uittreksel Handelsregister",
    "Kamer van Koophandel",
    "KVK-nummer | 81482207",
    "Handelsnaam | Zaanse Molenmeel",
    "Rechtsvorm | Vennootschap onder firma",
    "Startdatum onderneming | 15-01-2021",
    "Activiteiten | Vervaardiging van meel",
    "Werkzame personen | 4",
    "Vestigingsnummer | 000048820417",
    "Bezoekadres | Kalverringdijk 31, 1509BT Zaandam",
    "Telefoonnummer | 075 6418820",
    "Vennoten",
    "Naam | Kuiper Holding B.V.",
    "In functie | 15-01-2021",
)


def test_a_short_label_in_the_lower_part_names_no_company_alone():
    data = extraction_of(paper(*PARTNERS))

    assert data["business_name"] is None
    assert "business_name" in data["unsure"]


def test_a_short_label_at_the_top_does():
    data = extraction_of(make_pdf(CASES["netherlands"].text))

    assert data["business_name"] == "Grachtenlicht B.V."


def test_an_address_below_another_one_is_not_given_by_the_words_before_it():
    data = extraction_of(
        make_pdf(
            "Companies House\nCompany name: MARCHBANK TIDAL LLP\nCompany number OC418820\n"
            "Quay House, 2 Shore Street, Elgin IV30 1XQ\nMembers\n"
            "Burghead Heritage\nRegistered office: 4 Castle Terrace, Edinburgh EH1 2DP"
        )
    )

    assert data["business_address"] is None


def test_the_number_of_an_owner_does_not_tell_the_country():
    data = extraction_of(
        paper(
            "# EXTRAIT",
            "Dénomination ou raison sociale : | Moselle Cellars",
            "Objet : | Exploitation de vignobles",
            "Associé(s)",
            "Dénomination ou raison sociale : | Trier Wein Holding GmbH",
            "Numéro d'immatriculation : | HRB 44188",
        )
    )

    assert data["jurisdiction"] is None


def test_parts_with_labels_of_other_fields_between_them_are_no_address():
    data = extraction_of(
        paper(
            "# EXTRAIT",
            "Numéro | B248820",
            "Dénomination ou raison sociale : | Moselle Cellars S.à r.l.",
            "Numéro | 44",
            "Rue | route du Vin",
            "Code postal | L-5440",
            "Localité | Remerschen",
        )
    )

    address = data["business_address"] or {}
    assert "B248820" not in str(address)


def test_the_day_of_a_letter_that_is_not_american_is_not_read_as_one():
    tool = EinDocumentExtraction()
    page = make_pdf(
        "Department of Revenue of Atlantis\nTaxpayer number 3801418820\n03/10/2022"
    )

    data = tool.run(evidence_of(page)).payload["extraction_data"]

    assert data["date"] is None


def test_words_behind_a_tax_number_are_no_part_of_it():
    page = paper(
        "SUNAT",
        "# FICHA RUC",
        "Número de RUC: | 20604188205 - ALPACAS DEL LAGO UMAYO S.A.C.",
        "Tipo Contribuyente: | SOCIEDAD ANONIMA CERRADA",
    )

    data = EinDocumentExtraction().run(evidence_of(page)).payload["extraction_data"]

    assert "ALPACAS" not in str(data["tax_number"])
    assert "ALPACAS" not in str(data["business_registration_number"])


def test_a_zip_code_below_the_title_is_no_number():
    data = extraction_of(
        make_pdf(
            "COMMONWEALTH OF VIRGINIA\nCERTIFICATE OF INCORPORATION\nAlfa Oysters LLC\n"
            "Tyler Building, 1300 East Main Street, Richmond\n23219-3630"
        )
    )

    assert data["business_registration_number"] == []


def test_what_stands_above_the_window_but_is_no_name_is_a_candidate():
    page = make_pdf(
        "Statement of account\nStatement date: 12 November 2026\n"
        "Account holder: Customer of the North\n12 Alder Row\nLeeds\nLS1 4DY"
    )

    tool = ProofOfAddressExtraction("kyc")
    data = tool.run(evidence_of(page)).payload["extraction_data"]

    assert data["holder_name"] is None


LUXEMBOURG = """
Registre de commerce et des sociétés
EXTRAIT
Numéro d'immatriculation : B244188
Date d'immatriculation : 03/06/2020
Dénomination ou raison sociale : Alzette Capital S.à r.l.
{office}
Associé(s)
{label} : Moselle Partners SCSp
Forme juridique : Société en commandite spéciale
Numéro d'immatriculation : {number}
Adresse : 44, avenue J.F. Kennedy L-1855 Luxembourg
"""


@pytest.mark.parametrize(
    ("office", "label"),
    [
        # The label that named the company names another one: a record of its own.
        ("Forme juridique : S.à r.l.", "Dénomination ou raison sociale"),
        # The office has a label, and its value was not read.
        ("Siège social : voir annexe", "Titulaire des parts"),
    ],
)
def test_an_address_in_the_record_of_an_owner_is_not_given(office, label):
    words = LUXEMBOURG.format(office=office, label=label, number="B211844")

    data = extraction_of(make_pdf(words))

    assert data["business_address"] is None
    assert data["business_registration_number"] == ["B244188"]


MANAGER = """
ROYAUME DU MAROC
Tribunal de Commerce de Casablanca
CERTIFICAT D'IMMATRICULATION AU REGISTRE DU COMMERCE
Dénomination : ATLAS FROID INDUSTRIEL
Siège social : 27 Boulevard Moulay Slimane, Casablanca
GÉRANCE
Gérant : BENNANI Youssef
Adresse : 14 rue Oued Sebou, Casablanca
"""


def test_the_address_of_a_manager_is_shown_as_no_office():
    shown = extraction_of(make_pdf(MANAGER))["all_extracted_addresses"]

    assert {role: one["street_1"].split(",")[0] for role, one in shown.items()} == {
        "registered_office": "27 Boulevard Moulay Slimane",
        "other": "14 rue Oued Sebou",
    }


INCUMBENCY = """
BVI BUSINESS COMPANIES ACT, 2004
CERTIFICATE OF INCUMBENCY
We, Tortola Fiduciary Services (BVI) Limited, company number 118842, of Geneva Place,
being the Registered Agent of CORAL SPIRE INVESTMENTS LTD., BVI Company Number 2044188,
hereby certify that the Company was incorporated in the British Virgin Islands on 26 August 2020.
"""


def test_whoever_speaks_is_not_the_company():
    data = extraction_of(make_pdf(INCUMBENCY))

    assert data["business_name"] is None
    assert "business_registration_number" in data["unsure"]


EXTRACT_OF_OFFICE = """
Registro Mercantil de A Coruña
Plaza de Lugo 1, 15004 A Coruña, CIF G88447719
INFORMACIÓN GENERAL MERCANTIL
Denominación: CONSERVAS RIA DE MUROS SL
C.I.F.: B70884416
"""


def test_of_two_numbers_of_one_kind_the_one_above_the_name_is_not_given():
    data = extraction_of(make_pdf(EXTRACT_OF_OFFICE))

    assert data["business_registration_number"] == []
    candidates = data["evidence"]["business_registration_number"]["candidates"]
    assert [one["value"] for one in candidates] == ["G88447719", "B70884416"]


RECEIPT = """
DIVISION OF CORPORATIONS
FILING RECEIPT
ENTITY NAME: HUDSON KILN & GLAZE LLC
DOS ID: 6418827
EXISTENCE DATE: 03/04/2022
AUTHENTICATION
NUMBER:
100001188420
"""


def test_number_alone_is_the_end_of_a_longer_label():
    data = extraction_of(make_pdf(RECEIPT))

    assert data["business_registration_number"] == ["6418827"]


# The name of the company stands on two lines, and is not read.
EXTRACT_OF_ENTRIES = """
Handelsregisteramt des Kantons Zürich
Firmennummer Rechtsnatur Eintragung Löschung
CHE-142.463.493
Aktiengesellschaft 14.05.2009
Ei Firma Ref Sitz
1 Bergwind Messtechnik
AG
1 Volketswil
Ei Zweck Ref Statutendatum
1 Entwicklung von
Messgeräten
1 07.05.2009
1 6120 14.05.2009 20.05.2009
Ei Personalangaben Funktion Zeichnungsart
1 Keller, Urs, von Uster,
in Uster
Präsident Einzelunterschrift
1 Revisa Treuhand GmbH
Revisionsstelle
"""


def test_a_company_in_the_lower_part_is_no_title():
    data = extraction_of(make_pdf(EXTRACT_OF_ENTRIES))

    assert data["business_name"] is None


def test_a_tax_number_alone_is_not_given_as_that_of_a_register():
    words = (
        "CORPORATE AFFAIRS COMMISSION\nCertificate of Incorporation of a Private Company\n"
        "I hereby certify that\nOGBOMOSO CASSAVA MILLS LIMITED\n"
        "is this day incorporated under the COMPANIES AND ALLIED MATTERS ACT 2020\n"
        "Given under my hand at Abuja this Nineteenth day of April, 2021\n"
        "Tax Identification Number: 23884421-0001"
    )

    data = extraction_of(make_pdf(words))

    assert data["business_registration_number"] == []
    assert "business_registration_number" in data["unsure"]


def test_a_name_whose_first_words_were_taken_for_its_label_is_unsure():
    text = MadeText(
        "a profile",
        "extract",
        {},
        LATIN,
        (50, 300),
        "Corporations Canada | \nCorporation Number / Numéro de société | 1244187-1\n"
        "Corporate Name / Dénomination | BOREAL MAPLE ROBOTICS INC.\nStatus / Statut | Active / Active\n",
    )

    data = extraction_of(draw(text))

    evidence = data["evidence"]["business_name"]
    values = [one["value"] for one in evidence.get("candidates", [evidence])]
    assert "BOREAL MAPLE ROBOTICS INC." in values


def test_a_day_is_unsure_where_a_second_label_of_the_formation_has_another_one():
    data = extraction_of(
        paper(
            "# COMMERCIAL REGISTRATION CERTIFICATE",
            "Commercial Name | Wadi Dayqah Trading LLC",
            "Establishment Date | 20/05/2019",
            "Registration Date | 22/05/2019",
        )
    )

    days = [c["value"] for c in data["evidence"]["incorporation_date"]["candidates"]]
    assert data["incorporation_date"] is None
    assert sorted(days) == ["2019-05-20", "2019-05-22"]


def test_a_day_is_given_where_the_label_of_another_day_is_not_of_the_formation():
    data = extraction_of(
        paper(
            "# COMMERCIAL REGISTRATION CERTIFICATE",
            "Commercial Name | Wadi Dayqah Trading LLC",
            "Registration Date | 22/05/2019",
            "Expiry Date | 22/05/2029",
        )
    )

    assert data["incorporation_date"] == "2019-05-22"


@pytest.mark.parametrize("label", ["RE", "Subject", "Objet"])
def test_the_label_of_a_subject_is_no_part_of_a_name(label):
    page = make_pdf(
        "REGISTRAR OF COMPANIES\n"
        "To whom it may concern\n"
        f"{label}: Marlstone Kilns Ltd (C 88442)\n"
        "This is to confirm that the above-named company was registered on the 29th October 2018."
    )

    data = extraction_of(page)

    candidates = data["evidence"]["business_name"].get("candidates") or ()
    names = [data["business_name"], *(each["value"] for each in candidates)]
    assert "Marlstone Kilns Ltd" in names
    assert not any(label in str(name) for name in names)
