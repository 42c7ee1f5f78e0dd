"""Wordings of registers and of articles: the second half."""

from __future__ import annotations

from tests.checks.incorporation_document.wordings import Case

WORDINGS = {
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
        """I, JOHN Q. EXAMPLE, SECRETARY OF STATE OF THE STATE OF
        DELAWARE, DO HEREBY CERTIFY
        "HOLLOWAY PATH INC." IS DULY INCORPORATED UNDER THE LAWS OF THE
        STATE OF DELAWARE AND IS IN GOOD STANDING AND HAS A LEGAL
        CORPORATE EXISTENCE SO FAR AS THE RECORDS OF THIS OFFICE SHOW,
        AS OF THE TENTH DAY OF MAY, A.D. 2022.
        AND I DO HEREBY FURTHER CERTIFY THAT THE SAID "HOLLOWAY PATH
        INC." WAS INCORPORATED ON THE FIFTH DAY OF JUNE, A.D. 2017.
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
        The above-named DOMESTIC LIMITED LIABILITY COMPANY was duly filed in accordance with
        New Jersey State Law on 10/15/2019 and was assigned identification number 0450412345.
        Following are the articles that constitute its original
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
