"""The tenant of a lease whose sentences name the parties, and who declares something of somebody else."""

from __future__ import annotations

import pytest

from checks.proof_of_address.extraction import ProofOfAddressExtraction
from checks.wire import JsonObject
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw


def read(body: str) -> JsonObject:
    document = draw(MadeText("lease", "poa-lease", {}, LATIN, (50, 340), body))
    tool = ProofOfAddressExtraction("kyc")
    return dict(tool.run(evidence_of(document)).payload["extraction_data"])


def names(data: JsonObject) -> list[str]:
    several = data["evidence"]["holder_name"]["candidates"]
    return [str(candidate["value"]) for candidate in several]


LEASES = {
    "en": """# TENANCY AGREEMENT
This agreement is made between Harold Quince of 4 Bell Lane, Ripon HG4 1AA (the "Landlord")
and Nadia Farrow, at present of 9 High Street, Selby YO8 4BB, hereinafter called the Tenant.""",
    "de": """# Mietvertrag
zwischen
Herrn Otto Brandl, Rathausplatz 3, 94032 Passau
- im Folgenden Vermieter genannt -
und
Nadia Farrow, Gartenweg 9, 94034 Passau
- im Folgenden Mieterin genannt -""",
    "fr": """# CONTRAT DE LOCATION
Entre Monsieur Paul Aubry, demeurant 3 rue Haute, 21000 Dijon, ci-après désigné « le bailleur »,
et Nadia Farrow, née à Lens, ci-après désignée « la locataire ».""",
    "es": """# CONTRATO DE ARRENDAMIENTO
De una parte, don Luis Prado Gil, con domicilio en calle Sol 3, 09003 Burgos, en adelante el arrendador,
y de otra, Nadia Farrow, mayor de edad, en adelante la arrendataria.""",
    "it": """# CONTRATTO DI LOCAZIONE
Tra Luigi Prato, residente in via Roma 3, 12100 Cuneo, in seguito denominato locatore,
e Nadia Farrow, nata a Asti, in seguito denominata conduttrice.""",
    "pt": """# CONTRATO DE ARRENDAMENTO
Entre Rui Prado, residente na Rua Nova 3, 4700-100 Braga, na qualidade de senhorio,
e Nadia Farrow, solteira, na qualidade de arrendatária.""",
    "nl": """# HUUROVEREENKOMST
Tussen Piet Kramer, wonende te Zwolle, Brink 3, 8011 AA, hierna te noemen verhuurder,
en Nadia Farrow, wonende te Epe, hierna te noemen huurder.""",
    "cs": """# NÁJEMNÍ SMLOUVA
mezi Petr Dvořák, bytem Dlouhá 3, 602 00 Brno (dále jen „pronajímatel“)
a Nadia Farrow, bytem Krátká 9, 602 00 Brno (dále jen „nájemce“)""",
    "da": """# LEJEKONTRAKT
mellem Ole Krogh, Nygade 3, 8000 Aarhus C, i det følgende kaldet udlejer,
og Nadia Farrow, Vestergade 9, 8000 Aarhus C, i det følgende kaldet lejer.""",
}


@pytest.mark.parametrize("language", LEASES)
def test_the_name_that_a_lease_calls_the_tenant_is_the_holder(language):
    assert read(LEASES[language])["holder_name"] == "Nadia Farrow"


def test_a_name_that_a_lease_calls_the_landlord_is_not_the_holder():
    data = read("""# TENANCY AGREEMENT
This agreement is made between Harold Quince, 4 Bell Lane, Ripon HG4 1AA (the "Landlord") and the person in the schedule.""")

    assert data["holder_name"] is None


def test_words_that_call_somebody_the_landlord_are_no_name():
    data = read("""# Mietvertrag
- nachstehend Vermieter genannt -
Rathausplatz 3, 94032 Passau""")

    assert data["holder_name"] is None
    assert "nachstehend" not in str(data["evidence"].get("holder_name"))


def test_a_clause_that_speaks_of_the_tenant_names_nobody():
    data = read("""# TENANCY AGREEMENT
1. Repairs are shared between Harold Quince and the council. The water company is hereinafter called the tenant of the pump.""")

    assert data["holder_name"] is None


def test_who_declares_a_gift_is_a_candidate():
    data = read("""# GIFT LETTER
3 May 2026
I, Harold Quince, of 4 Bell Lane, Ripon HG4 1AA, give my niece Nadia Farrow the sum of 9,000 pounds.""")

    assert data["holder_name"] is None
    assert "I, Harold Quince, of" not in names(data)


@pytest.mark.parametrize(
    ("holder", "other"),
    [
        ("Tenant's Name", "Lessor's Name"),
        (
            "Kirac\u0131n\u0131n ad\u0131 soyad\u0131",
            "Kiraya verenin ad\u0131 soyad\u0131",
        ),
        ("Section 3 Tenant", "Section 2 Landlord"),
        ("Nome do locatário", "Nome do locador"),
    ],
)
def test_labels_of_a_lease_in_a_form(holder, other):
    data = read(f"""# Contract
{other} | Harold Quince
{holder} | Nadia Farrow
Date | 3 May 2026""")

    assert data["holder_name"] == "Nadia Farrow"
