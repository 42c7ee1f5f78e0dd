"""Articles, constitutions and statutes of many countries: the name, and the law they are under."""

from __future__ import annotations

import pytest

from checks.evidence import Evidence
from checks.fields.document_types import INCORPORATION
from checks.incorporation_document.fields import IncorporationFields
from tests.checks.documents import make_pdf

# The words of each, the name that they state, and the jurisdiction (empty: they name none).
ARTICLES = {
    "uk": (
        """THE COMPANIES ACT 2006
PRIVATE COMPANY LIMITED BY SHARES
ARTICLES OF ASSOCIATION
of
BRIARFIELD ROBOTICS LIMITED
(Company number 09876543)
Adopted by special resolution on 3 March 2020
1. Defined terms
In the articles, unless the context requires otherwise, director means a director of the company""",
        "BRIARFIELD ROBOTICS LIMITED",
        "GB",
    ),
    "uk2": (
        """Company not having a share capital
Memorandum of association of Thornapple Community Trust
Each subscriber to this memorandum of association wishes to form a company under the Companies Act 2006 and agrees to become a member of the company.
Name of each subscriber  Authentication""",
        "Thornapple Community Trust",
        "GB",
    ),
    "nv": (
        """ARTICLES OF INCORPORATION
(PURSUANT TO NRS CHAPTER 78)
1. Name of Corporation: SILVER BASIN MINING CORP.
2. Registered Agent for Service of Process: Desert Agents LLC, Las Vegas, Nevada 89101
3. Authorized Stock: 1000
Nevada Secretary of State""",
        "SILVER BASIN MINING CORP.",
        "US-NV",
    ),
    "tx": (
        """Form 205
Certificate of Formation
Limited Liability Company
Article 1 - Entity Name and Type
The filing entity being formed is a limited liability company. The name of the entity is:
Pecan Hollow Ventures, LLC
Article 2 - Registered Agent and Registered Office
Secretary of State of Texas""",
        "Pecan Hollow Ventures, LLC",
        "US-TX",
    ),
    "fl": (
        """ARTICLES OF ORGANIZATION FOR FLORIDA LIMITED LIABILITY COMPANY
ARTICLE I - Name:
The name of the Limited Liability Company is:
MANGROVE KEY IMPORTS LLC
(Must contain the words Limited Liability Company)
ARTICLE II - Address:
The mailing address and street address of the principal office of the Limited Liability Company is:
18 Heron Way, Tampa, FL 33602""",
        "MANGROVE KEY IMPORTS LLC",
        "US-FL",
    ),
    "ny": (
        """CERTIFICATE OF INCORPORATION
OF
HUDSON LANTERN INC.
Under Section 402 of the Business Corporation Law
FIRST: The name of this corporation is: Hudson Lantern Inc.
SECOND: The county within this state in which the office is located is Kings County, State of New York.""",
        "Hudson Lantern Inc.",
        "US-NY",
    ),
    "ny2": (
        """ARTICLES OF ORGANIZATION
OF
Gansevoort Tea LLC
Under Section 203 of the Limited Liability Company Law
FIRST: The name of the limited liability company is: Gansevoort Tea LLC
New York State Department of State""",
        "Gansevoort Tea LLC",
        "US-NY",
    ),
    "de": (
        """Gesellschaftsvertrag
der Nordlicht Maschinenbau GmbH
§ 1 Firma, Sitz
(1) Die Firma der Gesellschaft lautet: Nordlicht Maschinenbau GmbH
(2) Sitz der Gesellschaft ist Hamburg.
Amtsgericht Hamburg, Bundesrepublik Deutschland""",
        "Nordlicht Maschinenbau GmbH",
        "DE",
    ),
    "fr": (
        """STATUTS
ATELIER DES ORMES
Société par actions simplifiée au capital de 10 000 euros
Siège social : 14 rue des Lilas, 69003 Lyon
ARTICLE 2 - DENOMINATION
La société a pour dénomination sociale : ATELIER DES ORMES
Droit français, Code de commerce""",
        "ATELIER DES ORMES",
        "FR",
    ),
    "es": (
        """ESTATUTOS SOCIALES
Artículo 1. Denominación
La sociedad se denomina OLIVARES DEL SUR, S.L. y se regirá por los presentes estatutos y por la Ley de Sociedades de Capital española.""",
        "OLIVARES DEL SUR, S.L",
        "ES",
    ),
    "sg": (
        """THE COMPANIES ACT (CAP. 50)
PRIVATE COMPANY LIMITED BY SHARES
CONSTITUTION
OF
ORCHID WHARF PTE. LTD.
1. The name of the company is ORCHID WHARF PTE. LTD.
2. The registered office of the company is situated in the Republic of Singapore.""",
        "ORCHID WHARF PTE. LTD.",
        "SG",
    ),
    "in": (
        """[Pursuant to Companies Act, 2013]
MEMORANDUM OF ASSOCIATION OF
KAVERI TEXTILES PRIVATE LIMITED
I. The Name of the Company is KAVERI TEXTILES PRIVATE LIMITED.
II. The Registered Office of the Company will be situated in the State of Karnataka, India""",
        "KAVERI TEXTILES PRIVATE LIMITED",
        "IN",
    ),
    "ky": (
        """THE COMPANIES ACT (AS REVISED)
OF THE CAYMAN ISLANDS
EXEMPTED COMPANY LIMITED BY SHARES
MEMORANDUM OF ASSOCIATION
OF
CORAL SPAN HOLDINGS LTD.
1. The name of the Company is Coral Span Holdings Ltd. (the "Company").""",
        "Coral Span Holdings Ltd.",
        "KY",
    ),
    "ng": (
        """FEDERAL REPUBLIC OF NIGERIA
COMPANIES AND ALLIED MATTERS ACT 2020
MEMORANDUM OF ASSOCIATION OF OKUTA FARMS LIMITED
1. The name of the company is OKUTA FARMS LIMITED""",
        "OKUTA FARMS LIMITED",
        "NG",
    ),
    "ca": (
        """Canada Business Corporations Act (CBCA)
Form 1 Articles of Incorporation
1 - Corporate name
Maple Quay Software Inc.
2 - The province or territory in Canada where the registered office is situated
ON""",
        "Maple Quay Software Inc.",
        "CA",
    ),
    "au": (
        """Constitution of
Wattle Ridge Energy Pty Ltd
ACN 004 085 616
Corporations Act 2001 (Cth)
1 Name: The name of the Company is Wattle Ridge Energy Pty Ltd.""",
        "Wattle Ridge Energy Pty Ltd",
        "AU",
    ),
    "za": (
        """REPUBLIC OF SOUTH AFRICA
COMPANIES ACT, 2008
MEMORANDUM OF INCORPORATION
Name of company: PROTEA COAST TRADING (PTY) LTD
Registration No.: 2019/123456/07""",
        "PROTEA COAST TRADING (PTY) LTD",
        "ZA",
    ),
    "it": (
        """STATUTO
Art. 1 - Denominazione
È costituita una società a responsabilità limitata con la denominazione "Vigneti Belmonte S.r.l."
Sede in Milano, Italia. Codice civile""",
        "Vigneti Belmonte S.r.l.",
        "IT",
    ),
    "nl": (
        """STATUTEN
Artikel 1. Naam en zetel
1.1 De vennootschap draagt de naam: Polderwind Techniek B.V.
1.2 Zij is gevestigd te Utrecht. Nederland""",
        "Polderwind Techniek B.V.",
        "NL",
    ),
    "br": (
        """CONTRATO SOCIAL
CLÁUSULA PRIMEIRA - A sociedade girará sob o nome empresarial SERRA AZUL ALIMENTOS LTDA e terá sede em Curitiba, Paraná, Brasil.""",
        "SERRA AZUL ALIMENTOS LTDA",
        "",
    ),
    "az": (
        """ARTICLES OF INCORPORATION
OF
OCOTILLO SPRINGS HOMEOWNERS ASSOCIATION
an Arizona nonprofit corporation
The undersigned, acting as incorporator under the Arizona Nonprofit Corporation Act, adopts the following""",
        "OCOTILLO SPRINGS HOMEOWNERS ASSOCIATION",
        "US-AZ",
    ),
    "mn": (
        """ARTICLES OF INCORPORATION
The undersigned, for the purpose of forming a corporation under Minnesota Statutes, Chapter 302A, adopts these articles:
ARTICLE 1. NAME
1.1 The corporation's name is Loon Lake Outfitters, Inc.
""",
        "Loon Lake Outfitters, Inc.",
        "US-MN",
    ),
    "co": (
        """Articles of Incorporation for a Profit Corporation
filed pursuant to section 7-102-101 of the Colorado Revised Statutes (C.R.S.)
1. The domestic entity name for the corporation is
Aspen Kiln Ceramics, Inc.
2. The principal office address""",
        "Aspen Kiln Ceramics, Inc.",
        "US-CO",
    ),
    "hk": (
        """THE COMPANIES ORDINANCE (CHAPTER 622)
Private Company Limited by Shares
ARTICLES OF ASSOCIATION
OF
LUCKY HARBOUR TRADING LIMITED
1. The name of the Company is "LUCKY HARBOUR TRADING LIMITED".
Hong Kong""",
        "LUCKY HARBOUR TRADING LIMITED",
        "HK",
    ),
    "ie": (
        """Companies Act 2014
CONSTITUTION OF
CLONMORE DAIRIES LIMITED
1. The name of the company is: Clonmore Dairies Limited
2. The company is a private company limited by shares, registered under Part 2 of the Companies Act 2014. Ireland""",
        "Clonmore Dairies Limited",
        "IE",
    ),
}


@pytest.mark.parametrize(
    ("words", "name", "jurisdiction"), ARTICLES.values(), ids=ARTICLES
)
def test_articles_state_their_name_and_law(words, name, jurisdiction):
    fields = IncorporationFields(Evidence(make_pdf(words, size=(1000, 792))))

    assert fields.document_type
    assert fields.document_type.value.code in INCORPORATION
    assert fields.names[0].value.rstrip(".") == name.rstrip(".")
    code = fields.jurisdiction.value.code if fields.jurisdiction else ""
    assert code.startswith(jurisdiction)
    assert bool(code) == bool(jurisdiction)


@pytest.mark.parametrize(
    ("seat", "streets"),
    [
        # The mark of a footnote.
        ("in the State of Tamil Nadu1", []),
        ("at 14 Anna Salai, Chennai 600002", ["14 Anna Salai"]),
    ],
)
def test_a_state_is_no_address(seat, streets):
    words = f"""MEMORANDUM OF ASSOCIATION OF
KAVERI TEXTILES PRIVATE LIMITED
I. The Name of the Company is KAVERI TEXTILES PRIVATE LIMITED.
II. The Registered Office of the Company will be situated {seat}."""
    fields = IncorporationFields(Evidence(make_pdf(words, size=(1000, 792))))
    assert [one.value.address.street_1 for one in fields.addresses] == streets
