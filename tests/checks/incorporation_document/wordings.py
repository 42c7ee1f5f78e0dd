"""Wordings of registers and of articles: the first half, and what a wording is."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    text: str
    name: str | None
    date: str | None
    number: str | None
    jurisdiction: str | None


WORDINGS = {
    "england": Case(
        """CERTIFICATE OF INCORPORATION
        OF A
        PRIVATE LIMITED COMPANY
        Company Number 12345678
        The Registrar of Companies for England and Wales, hereby certifies that
        WILLOWBANK TRADING LIMITED
        is this day incorporated under the Companies Act 2006 as a private company, that the
        company is limited by shares, and the situation of its registered office is in England
        and Wales.
        Given at Companies House, Cardiff, on 27th July 2019.""",
        "WILLOWBANK TRADING LIMITED",
        "2019-07-27",
        "12345678",
        "England and Wales, United Kingdom",
    ),
    "delaware cover": Case(
        """Delaware
        The First State
        Page 1
        5512345 8100 Authentication: 203039087
        SR# 20191206456 Date: 03-30-19
        I, A. B. CLARKSON, SECRETARY OF STATE OF THE STATE OF
        DELAWARE, DO HEREBY CERTIFY THE ATTACHED IS A TRUE AND CORRECT
        COPY OF THE CERTIFICATE OF FORMATION OF “HAZELMERE
        LOGISTICS, LLC”, FILED IN THIS OFFICE ON THE TWENTY-NINTH DAY OF MARCH,
        A.D. 2019, AT 3:09 O`CLOCK P.M.""",
        "HAZELMERE LOGISTICS, LLC",
        "2019-03-29",
        "5512345",
        "Delaware, United States",
    ),
    "delaware articles": Case(
        """STATE OF DELAWARE
        CERTIFICATE OF INCORPORATION
        OF
        FERNDALE OPTICS, INC.
        FIRST: The name of this corporation is Ferndale Optics, Inc.
        SECOND: Its registered office in the State of Delaware is to be located at 251 Maple
        Drive, in the City of Wilmington, County of New Castle, Zip Code 19808.""",
        "Ferndale Optics, Inc.",
        None,
        None,
        "Delaware, United States",
    ),
    "india": Case(
        """GOVERNMENT OF INDIA
        MINISTRY OF CORPORATE AFFAIRS
        Certificate of Incorporation
        I hereby certify that PEEPAL LEAF FOODS PRIVATE LIMITED is incorporated on this SEVENTEENTH
        day of JUNE TWO THOUSAND TWENTY under the Companies Act, 2013 (18 of 2013) and that the
        company is limited by shares.
        The Corporate Identity Number of the company is U15490MH2020PTC341234.
        Given under my hand at Manesar this SEVENTEENTH day of JUNE TWO THOUSAND TWENTY.""",
        "PEEPAL LEAF FOODS PRIVATE LIMITED",
        "2020-06-17",
        "U15490MH2020PTC341234",
        "India",
    ),
    "singapore": Case(
        """ACCOUNTING AND CORPORATE REGULATORY AUTHORITY
        CERTIFICATE CONFIRMING INCORPORATION OF COMPANY
        Company No.: 201912345K
        This is to confirm that MERLION HARBOUR PTE. LTD. is incorporated under the Companies Act
        1967, on and from 12/03/2019 and that the company is a PRIVATE COMPANY LIMITED BY SHARES.""",
        "MERLION HARBOUR PTE. LTD.",
        "2019-03-12",
        None,
        "Singapore",
    ),
    "hong kong": Case(
        """CERTIFICATE OF INCORPORATION
        No. 2712345
        I hereby certify that
        JADE TERRACE LIMITED
        is this day incorporated in Hong Kong under the Companies Ordinance
        (Chapter 622 of the Laws of Hong Kong), and that this company is a limited company.
        Issued on 5 February 2018.""",
        "JADE TERRACE LIMITED",
        "2018-02-05",
        None,
        "Hong Kong",
    ),
    "australia": Case(
        """Certificate of Registration of a Company
        This is to certify that
        BANKSIA GROVE PTY LTD
        Australian Company Number 004 085 616
        is a registered company under the Corporations Act 2001 and
        is taken to be registered in Victoria.
        The day of commencement of registration is the third day of March 2020.
        Issued by the Australian Securities and Investments Commission
        on this third day of March 2020.""",
        "BANKSIA GROVE PTY LTD",
        "2020-03-03",
        "004085616",
        "Australia",
    ),
    "new zealand": Case(
        """Certificate of Incorporation
        KAURI POINT HOLDINGS LIMITED
        6123456
        NZBN: 9429041234567
        This is to certify that KAURI POINT HOLDINGS LIMITED was incorporated under the
        Companies Act 1993 on the 3rd day of March 2017.
        Registrar of Companies New Zealand""",
        "KAURI POINT HOLDINGS LIMITED",
        "2017-03-03",
        "9429041234567",
        "New Zealand",
    ),
    "british virgin islands": Case(
        """TERRITORY OF THE BRITISH VIRGIN ISLANDS
        BVI BUSINESS COMPANIES ACT, 2004
        CERTIFICATE OF INCORPORATION
        The REGISTRAR of CORPORATE AFFAIRS, of the British Virgin Islands HEREBY CERTIFIES, that,
        pursuant to the BVI Business Companies Act, 2004, all the requirements of the Act in respect
        of incorporation having been complied with,
        Coral Anchor Limited
        BVI COMPANY NUMBER: 1998877
        is incorporated in the BRITISH VIRGIN ISLANDS as a BVI BUSINESS COMPANY, this 9th day of
        January, 2019.""",
        "Coral Anchor Limited",
        "2019-01-09",
        "1998877",
        "British Virgin Islands",
    ),
    "cayman": Case(
        """Certificate Of Incorporation
        I, Registrar of Companies of the Cayman Islands DO HEREBY CERTIFY, pursuant to the Companies
        Law, that all requirements of the said Law in respect of registration were complied with by
        Pelican Reef Fund
        an Exempted Company incorporated in the Cayman Islands with Limited Liability with effect
        from the 14th day of May Two Thousand Eighteen.""",
        "Pelican Reef Fund",
        "2018-05-14",
        None,
        "Cayman Islands",
    ),
    "ireland": Case(
        """Number 612345
        Certificate of Incorporation
        I hereby certify that
        BALLYMORE DAIRY SYSTEMS LIMITED
        is this day incorporated under the Companies Act 2014,
        and that the company is a Private Company Limited by Shares.
        Given under my hand at Dublin, this Tuesday, the 6th day of March, 2018""",
        "BALLYMORE DAIRY SYSTEMS LIMITED",
        "2018-03-06",
        None,
        "Ireland",
    ),
    "nigeria": Case(
        """Federal Republic of Nigeria
        Certificate of Incorporation of a Private Limited Company
        Registration No: 1623456
        The Registrar-General of Corporate Affairs Commission hereby certifies that
        BAOBAB FIELDS LIMITED
        is this day INCORPORATED under the COMPANIES AND ALLIED MATTERS ACT 1990
        Given under my hand at Abuja this Twelfth day of August, 2019""",
        "BAOBAB FIELDS LIMITED",
        "2019-08-12",
        "1623456",
        "Nigeria",
    ),
    "south africa": Case(
        """Companies and Intellectual Property Commission
        Republic of South Africa
        COR14.3: Registration Certificate
        Registration Number: 2020/123456/07
        Enterprise Name: Protea Ridge Mining
        Registration Date: 04/02/2020""",
        "Protea Ridge Mining",
        None,
        "2020/123456/07",
        "South Africa",
    ),
    "canada": Case(
        """Certificate of Incorporation
        Canada Business Corporations Act
        Corporate name / Dénomination sociale
        Maple Harbour Software Inc.
        Corporation number / Numéro de société
        1234567-8
        I HEREBY CERTIFY that the above-named corporation, the articles of incorporation of which
        are attached, is incorporated under the Canada Business Corporations Act.
        Date of Incorporation (YYYY-MM-DD)
        2021-02-09""",
        "Maple Harbour Software Inc.",
        "2021-02-09",
        "1234567-8",
        "Canada",
    ),
    "texas": Case(
        """Office of the Secretary of State
        CERTIFICATE OF FILING
        OF
        Pecan Valley Freight LLC
        File Number: 803712345
        The undersigned, as Secretary of State of Texas, hereby certifies that a Certificate of
        Formation for the above named Domestic Limited Liability Company (LLC) has been received in
        this office and has been found to conform to the applicable provisions of law.
        Dated: 08/14/2020
        Effective: 08/14/2020""",
        "Pecan Valley Freight LLC",
        "2020-08-14",
        "803712345",
        "Texas, United States",
    ),
    "florida": Case(
        """State of Florida
        Department of State
        I certify from the records of this office that CYPRESS KEY MARINE LLC is a limited liability
        company organized under the laws of the State of Florida, filed on March 3, 2020.
        The document number of this limited liability company is L20000054321.
        Certificate of Status""",
        "CYPRESS KEY MARINE LLC",
        "2020-03-03",
        "L20000054321",
        "Florida, United States",
    ),
    "colorado": Case(
        """OFFICE OF THE SECRETARY OF STATE OF THE STATE OF COLORADO
        CERTIFICATE OF FACT OF GOOD STANDING
        I, the Secretary of State of the State of Colorado, hereby certify that, according to the
        records of this office,
        Aspen Fork Outfitters, LLC
        is a Limited Liability Company formed or registered on 06/05/2018 under the law of Colorado,
        has complied with all applicable requirements of this office, and has been assigned entity
        identification number 20181445566.""",
        "Aspen Fork Outfitters, LLC",
        "2018-06-05",
        "20181445566",
        "Colorado, United States",
    ),
    "nevada": Case(
        """SECRETARY OF STATE
        STATE OF NEVADA
        CORPORATE CHARTER
        I, the duly elected and qualified Nevada Secretary of State, do hereby certify that
        SAGEBRUSH SIGNAL CORP., did on April 11, 2017, file in this office the original Articles of
        Incorporation; that said Articles of Incorporation are now on file and of record.""",
        "SAGEBRUSH SIGNAL CORP.",
        "2017-04-11",
        None,
        "Nevada, United States",
    ),
    "california articles": Case(
        """ARTICLES OF INCORPORATION
        OF
        MANZANITA PRESS
        The name of this corporation is Manzanita Press.
        The purpose of the corporation is to engage in any lawful act or activity for which a
        corporation may be organized under the General Corporation Law of California.""",
        "Manzanita Press",
        None,
        None,
        "California, United States",
    ),
    "english articles": Case(
        """THE COMPANIES ACT 2006
        PRIVATE COMPANY LIMITED BY SHARES
        ARTICLES OF ASSOCIATION
        OF
        THISTLEDOWN BAKERY LIMITED
        1. In these articles, unless the context requires otherwise
        "the Act" means the Companies Act 2006.""",
        "THISTLEDOWN BAKERY LIMITED",
        None,
        None,
        "United Kingdom",
    ),
    "new york": Case(
        """CERTIFICATE OF INCORPORATION
        OF
        GOWANUS LANTERN INC.
        Under Section 402 of the Business Corporation Law of the State of New York
        FIRST: The name of the corporation is: GOWANUS LANTERN INC.
        Filing Date: 05/06/2019
        DOS ID: 5545678""",
        "GOWANUS LANTERN INC.",
        "2019-05-06",
        "5545678",
        "New York, United States",
    ),
    "germany": Case(
        """Handelsregister B des Amtsgerichts Hamburg
        Amtsgericht Hamburg
        HRB 123456
        Firma: Elbkontor Werkzeuge GmbH
        Tag der ersten Eintragung: 03.04.2018""",
        "Elbkontor Werkzeuge GmbH",
        "2018-04-03",
        "HRB123456",
        "Germany",
    ),
    "france": Case(
        """Extrait Kbis
        Immatriculation au registre du commerce et des sociétés
        Immatriculation au RCS, numéro 732 829 320 R.C.S. Paris
        Date d'immatriculation: 12/03/2019
        Dénomination ou raison sociale: ATELIER DES TILLEULS""",
        "ATELIER DES TILLEULS",
        "2019-03-12",
        "732829320",
        "France",
    ),
    "wyoming": Case(
        """STATE OF WYOMING
        Office of the Secretary of State
        I, EDWIN A. BARLOW, Secretary of State of the State of Wyoming, do hereby certify that the filing
        requirements for the issuance of this certificate have been fulfilled.
        CERTIFICATE OF ORGANIZATION
        Prairie Lantern Labs LLC
        I have affixed hereto the Great Seal of the State of Wyoming and duly executed this official
        certificate at Cheyenne, Wyoming on this 14th day of January, 2021 at 9:42 AM.
        Filed Date: 01/14/2021
        ID: 2021-000974123""",
        "Prairie Lantern Labs LLC",
        "2021-01-14",
        "2021-000974123",
        "Wyoming, United States",
    ),
    "georgia": Case(
        """STATE OF GEORGIA
        Secretary of State
        Corporations Division
        CERTIFICATE OF ORGANIZATION
        Control Number : 20012345
        I, Brent Holloway, the Secretary of State and the Corporation Commissioner of the State of Georgia, hereby
        certify under the seal of my office that
        Peachbloom Advisors LLC
        a Domestic Limited Liability Company
        has been duly organized under the laws of the State of Georgia on 01/15/2020 by the filing of articles of
        organization in the Office of the Secretary of State""",
        "Peachbloom Advisors LLC",
        "2020-01-15",
        "20012345",
        "Georgia, United States",
    ),
}
