"""Wordings of registers and of articles, each with what must be read, and what must not."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.checks.documents import extraction_of, make_pdf


class Case(NamedTuple):
    text: str
    name: str | None
    date: str | None
    number: str | None
    jurisdiction: str | None


CASES = {
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
    "michigan": Case(
        """MICHIGAN DEPARTMENT OF LICENSING AND REGULATORY AFFAIRS
        FILING ENDORSEMENT
        This is to Certify that the ARTICLES OF ORGANIZATION
        for
        LAKE ORION SENSORS LLC
        ID Number: 802412345
        received by electronic transmission on February 03, 2020, is hereby endorsed.
        Filed on February 07, 2020, by the Administrator.""",
        "LAKE ORION SENSORS LLC",
        "2020-02-07",
        "802412345",
        "Michigan, United States",
    ),
    "ohio": Case(
        """DATE DOCUMENT ID DESCRIPTION FILING
        03/02/2020 202006201234 DOMESTIC FOR PROFIT LLC - ARTICLES OF ORG (LCA) 99.00
        STATE OF OHIO
        CERTIFICATE
        Ohio Secretary of State, Frank Example
        4412345
        It is hereby certified that the Secretary of State of Ohio has custody of the business records for
        BUCKEYE BRINE WORKS LLC
        and, that said business records show the filing and recording of:
        Document(s) Document No(s):
        DOMESTIC FOR PROFIT LLC - ARTICLES OF ORG 202006201234
        Effective Date: 03/01/2020""",
        "BUCKEYE BRINE WORKS LLC",
        "2020-03-01",
        None,
        "Ohio, United States",
    ),
    "washington": Case(
        """UNITED STATES OF AMERICA
        The State of Washington
        Secretary of State
        I, KIM EXAMPLE, Secretary of State of the State of Washington and custodian of its seal,
        hereby issue this
        CERTIFICATE OF FORMATION
        to
        EVERGREEN KELP LLC
        A WA LIMITED LIABILITY COMPANY, effective on the date indicated below.
        Effective Date: 02/11/2021
        UBI Number: 604 712 345""",
        "EVERGREEN KELP LLC",
        "2021-02-11",
        "604712345",
        "Washington, United States",
    ),
    "virginia": Case(
        """COMMONWEALTH OF VIRGINIA
        STATE CORPORATION COMMISSION
        Richmond, March 9, 2021
        This is to certify that the certificate of organization of
        Tidewater Loom, LLC
        was this day issued and admitted to record in this office and that
        the said limited liability company is authorized to transact its business
        subject to all Virginia laws applicable to the company and its business.
        Effective date: March 9, 2021""",
        "Tidewater Loom, LLC",
        "2021-03-09",
        None,
        "Virginia, United States",
    ),
    "delaware good standing": Case(
        """I, JOHN Q. EXAMPLE, SECRETARY OF STATE OF THE STATE OF DELAWARE, DO HEREBY CERTIFY
        "HOLLOWAY PATH INC." IS DULY INCORPORATED UNDER THE LAWS OF THE STATE OF DELAWARE AND IS IN
        GOOD STANDING AND HAS A LEGAL CORPORATE EXISTENCE SO FAR AS THE RECORDS OF THIS OFFICE SHOW, AS
        OF THE TENTH DAY OF MAY, A.D. 2022.
        AND I DO HEREBY FURTHER CERTIFY THAT THE SAID "HOLLOWAY PATH INC." WAS INCORPORATED ON
        THE FIFTH DAY OF JUNE, A.D. 2017.
        6412345 8300
        SR# 20221812345""",
        "HOLLOWAY PATH INC.",
        "2017-06-05",
        "6412345",
        "Delaware, United States",
    ),
    "british columbia": Case(
        """Number: BC1234567
        CERTIFICATE OF INCORPORATION
        BUSINESS CORPORATIONS ACT
        I Hereby Certify that TAMARACK VALLEY MEDIA INC. was incorporated under the Business Corporations
        Act on March 3, 2020 at 10:03 AM Pacific Time.
        Issued under my hand at Victoria, British Columbia
        On March 3, 2020""",
        "TAMARACK VALLEY MEDIA INC.",
        "2020-03-03",
        "BC1234567",
        "British Columbia, Canada",
    ),
    "ontario": Case(
        """Certificate of Incorporation
        Business Corporations Act
        THISTLE BAY CONSULTING INC.
        Corporation Name
        1000123456
        Ontario Corporation Number
        This is to certify that these articles are effective on
        February 17, 2022
        Director, Ministry of Government and Consumer Services""",
        "THISTLE BAY CONSULTING INC.",
        "2022-02-17",
        "1000123456",
        "Ontario, Canada",
    ),
    "scotland": Case(
        """CERTIFICATE OF INCORPORATION OF A PRIVATE LIMITED COMPANY
        Company Number 612345
        The Registrar of Companies for Scotland, hereby certifies that GLEN AVON WOOLLENS LTD is this day incorporated
        under the Companies Act 2006 as a private company, that the company is limited by shares, and the situation
        of its registered office is in Scotland.
        Given at Companies House, Edinburgh, on 3rd May 2019""",
        "GLEN AVON WOOLLENS LTD",
        "2019-05-03",
        "612345",
        "Scotland, United Kingdom",
    ),
    "english partnership": Case(
        """CERTIFICATE OF INCORPORATION OF A LIMITED LIABILITY PARTNERSHIP
        Number OC412345
        The Registrar of Companies for England and Wales, hereby certifies that
        ASHCOMBE & VALE LLP
        is this day incorporated as a limited liability partnership under the Limited Liability Partnerships Act 2000
        Given at Companies House on 6th June 2018""",
        "ASHCOMBE & VALE LLP",
        "2018-06-06",
        "OC412345",
        "England and Wales, United Kingdom",
    ),
    "kenya": Case(
        """REPUBLIC OF KENYA
        THE COMPANIES ACT, 2015
        CERTIFICATE OF INCORPORATION
        No. PVT-LRU7Q5Z
        I hereby CERTIFY that
        BAHARI COAST FISHERIES LIMITED
        is this day Incorporated under the Companies Act, 2015 and that the Company is LIMITED.
        Given under my hand at Nairobi on this Wednesday, the 14th day of November, 2018""",
        "BAHARI COAST FISHERIES LIMITED",
        "2018-11-14",
        None,
        "Kenya",
    ),
    "malaysia": Case(
        """SURUHANJAYA SYARIKAT MALAYSIA
        COMPANIES COMMISSION OF MALAYSIA
        CERTIFICATE OF INCORPORATION OF PRIVATE COMPANY
        Registration No. 201901012345 (1321456-X)
        This is to certify that RIMBA HIJAU TRADING SDN. BHD. is, on and from the 12th day of April 2019,
        incorporated under the Companies Act 2016, and that the company is a company limited by shares""",
        "RIMBA HIJAU TRADING SDN. BHD.",
        "2019-04-12",
        "201901012345",
        "Malaysia",
    ),
    "pakistan": Case(
        """SECURITIES AND EXCHANGE COMMISSION OF PAKISTAN
        CERTIFICATE OF INCORPORATION
        [Under section 16 of the Companies Act, 2017 (XIX of 2017)]
        Corporate Universal Identification No. 0112345
        I hereby certify that INDUS MEADOW (PRIVATE) LIMITED is this day incorporated under the Companies Act,
        2017 (XIX of 2017) and that the company is limited by shares.
        Given under my hand at Islamabad this Fourteenth day of February, Two Thousand and Eighteen""",
        "INDUS MEADOW (PRIVATE) LIMITED",
        "2018-02-14",
        "0112345",
        "Pakistan",
    ),
    "estonia": Case(
        """Registry card of business register
        Business name: Tallinna Tuulik OÜ
        Registry code: 14412345
        Date of registration: 12.03.2018
        Republic of Estonia""",
        "Tallinna Tuulik OÜ",
        "2018-03-12",
        "14412345",
        "Estonia",
    ),
    "netherlands": Case(
        """Business Register extract
        Netherlands Chamber of Commerce
        CCI number 71234567
        Legal entity
        RSIN 858612345
        Legal form Private limited liability company
        Statutory name Grachtenlicht B.V.
        Corporate seat Amsterdam
        Date of deed of incorporation 09-03-2018""",
        "Grachtenlicht B.V.",
        "2018-03-09",
        "71234567",
        "Netherlands",
    ),
    "illinois articles": Case(
        """ARTICLES OF ORGANIZATION
        Illinois Limited Liability Company Act
        FILE # 09123456
        1. Limited Liability Company Name: Wabash Copper LLC
        2. Address of Principal Place of Business where records of the company will be kept:
        120 N Wells St, Chicago, IL 60606
        3. The Limited Liability Company has one or more members on the filing date.
        4. Registered Agent's Name and Registered Office Address:
        Dana Example, 77 W Wacker Dr, Chicago, IL 60601
        FILED Mar 04, 2021""",
        "Wabash Copper LLC",
        "2021-03-04",
        "09123456",
        "Illinois, United States",
    ),
    "indian memorandum": Case(
        """THE COMPANIES ACT, 2013
        COMPANY LIMITED BY SHARES
        MEMORANDUM OF ASSOCIATION
        OF
        NEEM TREE ANALYTICS PRIVATE LIMITED
        I. The name of the Company is NEEM TREE ANALYTICS PRIVATE LIMITED
        II. The registered office of the Company will be situated in the State of Karnataka
        III. The objects to be pursued by the company on its incorporation are: to carry on the business of data analysis.""",
        "NEEM TREE ANALYTICS PRIVATE LIMITED",
        None,
        None,
        "India",
    ),
    "australian constitution": Case(
        """CONSTITUTION
        OF
        WATTLE BROOK PTY LTD
        ACN 004 085 616
        A company limited by shares
        Corporations Act 2001""",
        "WATTLE BROOK PTY LTD",
        None,
        "004085616",
        "Australia",
    ),
    "colorado articles": Case(
        """Document must be filed electronically.
        Articles of Organization
        filed pursuant to section 7-80-203 and section 7-80-204 of the Colorado Revised Statutes (C.R.S.)
        1. The domestic entity name of the limited liability company is
        Silver Plume Cartography LLC
        2. The principal office address of the limited liability company's initial principal office is
        Street address 812 Main St
        Georgetown CO 80444""",
        "Silver Plume Cartography LLC",
        None,
        None,
        "Colorado, United States",
    ),
    "north carolina articles": Case(
        """State of North Carolina
        Department of the Secretary of State
        ARTICLES OF ORGANIZATION OF LIMITED LIABILITY COMPANY
        Pursuant to G.S. 57D-2-20 of the General Statutes of North Carolina, the undersigned does hereby submit these
        Articles of Organization for the purpose of forming a limited liability company.
        1. The name of the limited liability company is: Outer Banks Signal, LLC
        2. The name and address of each person executing these articles of organization is as follows""",
        "Outer Banks Signal, LLC",
        None,
        None,
        "North Carolina, United States",
    ),
    "restated certificate": Case(
        """AMENDED AND RESTATED CERTIFICATE OF INCORPORATION OF
        MERIDIAN FOLD, INC.
        (Pursuant to Sections 242 and 245 of the General Corporation Law of the State of Delaware)
        Meridian Fold, Inc., a corporation organized and existing under and by virtue of the provisions of the General
        Corporation Law of the State of Delaware (the "General Corporation Law"),
        DOES HEREBY CERTIFY:
        1. That the name of this corporation is Meridian Fold, Inc., and that this corporation was originally incorporated
        pursuant to the General Corporation Law on June 3, 2016 under the name Meridian Fold Labs, Inc.""",
        "Meridian Fold, Inc.",
        "2016-06-03",
        None,
        "Delaware, United States",
    ),
    "new jersey": Case(
        """NEW JERSEY DEPARTMENT OF THE TREASURY
        DIVISION OF REVENUE AND ENTERPRISE SERVICES
        CERTIFICATE OF FORMATION
        PINELANDS ROPE LLC
        0450412345
        The above-named DOMESTIC LIMITED LIABILITY COMPANY was duly filed in accordance with New Jersey State Law on
        10/15/2019 and was assigned identification number 0450412345. Following are the articles that constitute its original
        certificate.
        1. Name: PINELANDS ROPE LLC""",
        "PINELANDS ROPE LLC",
        "2019-10-15",
        "0450412345",
        "New Jersey, United States",
    ),
    "massachusetts articles": Case(
        """The Commonwealth of Massachusetts
        William Example Galvin
        Secretary of the Commonwealth
        Articles of Organization
        (General Laws, Chapter 156D, Section 2.02; 950 CMR 113.16)
        Identification Number: 001412345
        ARTICLE I
        The exact name of the corporation is:
        BERKSHIRE TUNING FORK, INC.
        ARTICLE II
        Unless the articles of organization otherwise provide""",
        "BERKSHIRE TUNING FORK, INC.",
        None,
        "001412345",
        "Massachusetts, United States",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_register_is_read(case: Case):
    data = extraction_of(make_pdf(case.text))

    numbers = data["business_registration_number"]
    assert data["business_name"] == case.name
    assert data["incorporation_date"] == case.date
    assert data["jurisdiction"] == case.jurisdiction
    assert case.number is None or case.number in numbers
    assert data["is_valid_document"] is True
