# ruff: noqa: RUF001 - lines of business in letters and signs of other scripts are its subject
"""The checks of the attested data alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.template.loader import get_template
from stdnum.util import get_cc_module

from checks import registry
from checks.attested import domains
from checks.attested.numbers import sameness
from checks.base import Evidence
from checks.data_check import DataCheck
from checks.lookups import Earlier, Enriched, Lookups
from checks.samples import passports
from checks.subject_data import business, contact, government_id, mrz

TODAY = date(2026, 11, 21)
ZONE = [
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
    "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
]
LATER_ZONE = list(
    passports.zone(
        {"first_name": "Anna", "last_name": "Eriksson", "date_of_birth": "1974-08-12"},
        "L898902C3",
        date(2034, 4, 15),
    )
)


def card(**values) -> dict[str, Any]:
    return {"government_id_verification_data": {"id_data": values}}


def look(check_id: str, attested: dict[str, Any]):
    check = registry.get(check_id)
    assert isinstance(check, DataCheck)
    return check.look(Evidence(attested=attested, today=TODAY))


@pytest.mark.parametrize(
    ("check_id", "attested", "verdict"),
    [
        ("kyc.name_plausibility", {"first_name": "Anna", "last_name": "Nowak"}, "pass"),
        ("kyc.name_plausibility", {"first_name": "Test", "last_name": "Nowak"}, "review"),
        # Names in Chinese, Korean, Hebrew and Hokkien, and marks that are none.
        ("kyc.name_plausibility", {"first_name": "Na", "last_name": "Li"}, "pass"),
        ("kyc.name_plausibility", {"first_name": "Bar", "last_name": "Cohen"}, "pass"),
        ("kyc.name_plausibility", {"first_name": "Jon", "last_name": "Foo"}, "pass"),
        ("kyc.name_plausibility", {"first_name": "Budi", "last_name": "-"}, "review"),
        ("kyc.name_plausibility", {"first_name": "???", "last_name": "Nowak"}, "review"),
        ("kyc.name_plausibility", {}, "inconclusive"),
        ("kyc.name_consistency", {"first_name": "Anna", "last_name": "Eriksson"} | card(mrz=ZONE), "pass"),
        ("kyc.name_consistency", {"first_name": "Anna", "middle_name": "Maria", "last_name": "Eriksson"} | card(first_name="Anna", last_name="Eriksson"), "pass"),
        ("kyc.name_consistency", {"first_name": "Teodor", "last_name": "Korbutski"} | card(mrz=ZONE), "fail"),
        ("kyc.name_consistency", {"first_name": "Anna", "last_name": "Eriksson"}, "not_applicable"),
        ("kyc.email_check", {"email": "anna.nowak@example.org"}, "pass"),
        ("kyc.email_check", {"email": "anna@"}, "fail"),
        ("kyc.email_check", {"email": "anna@mailinator.com"}, "review"),
        ("kyc.email_check", {"email": "anna@müller-bau.de"}, "pass"),
        ("kyc.email_check", {"email": "anna@xn--mnchen-3ya.de"}, "pass"),
        ("kyc.email_check", {"email": "anna@пример.рф"}, "pass"),
        ("kyc.email_check", {"email": "anna@例え.jp"}, "pass"),
        ("kyc.email_check", {"email": "anna@ac\u043ern.com"}, "review"),
        ("kyb.email_check", {"contact_email_address": "us@gmail.com"}, "review"),
        ("kyb.email_check", {"contact_email_address": "us@hotmail.co.uk"}, "review"),
        ("kyb.email_check", {"contact_email_address": "us@uol.com.br"}, "review"),
        ("kyb.email_check", {"contact_email_address": "us@two-piers.com", "website": ["https://one-pier.com", "www.two-piers.com"]}, "pass"),
        ("kyb.email_check", {"contact_email_address": "us@tw0-piers.com", "website": ["https://one-pier.com", "www.two-piers.com"]}, "review"),
        ("kyc.phone_check", {"phone": "+48 601 234 567", "country_of_residence": "PL"}, "pass"),
        ("kyc.phone_check", {"phone": "+48 601 234 567", "country_of_residence": "GB"}, "review"),
        ("kyc.phone_check", {"phone": "+48 1"}, "fail"),
        # Without a country nobody can say what it is.
        ("kyc.phone_check", {"phone": "020 7946 0018"}, "inconclusive"),
        ("kyc.phone_check", {"phone": "+999 123 4567"}, "fail"),
        ("kyc.phone_check", {"phone": "n/a"}, "fail"),
        ("kyc.phone_check", {"phone": "+1 800 356 9377", "country_of_residence": "CA"}, "pass"),
        # A name in characters that are read in several ways.
        ("kyc.name_consistency", {"first_name": "太郎", "last_name": "山田"} | card(first_name="Taro", last_name="Yamada"), "inconclusive"),
        ("kyc.name_consistency", {"first_name": "太郎", "last_name": "山田"} | card(first_name="太郎", last_name="山田"), "pass"),
        ("kyc.name_consistency", {"first_name": "Иван", "last_name": "Петров"} | card(first_name="Anna", last_name="Nowak"), "fail"),
        ("kyc.high_risk_country", {"country_of_nationality": "IR"}, "fail"),
        ("kyc.high_risk_country", {"country_of_nationality": "IRN"}, "fail"),
        ("kyc.high_risk_country", {"country_of_nationality": "ایران"}, "fail"),
        ("kyc.high_risk_country", {"country_of_residence": "DR Congo"}, "review"),
        ("kyc.high_risk_country", {"country_of_residence": "Bulgaria"}, "review"),
        ("kyc.high_risk_country", {"country_of_residence": "PL"}, "pass"),
        ("kyc.high_risk_country", {}, "not_applicable"),
        ("kyc.government_id_expiry", card(expiration_date="2026-01-01"), "fail"),
        ("kyc.government_id_expiry", card(expiration_date="2026-12-24"), "review"),
        ("kyc.government_id_expiry", card(expiration_date="2030-12-24"), "pass"),
        ("kyc.government_id_expiry", card(expiration_date="soon"), "inconclusive"),
        ("kyc.government_id_expiry", card(mrz=ZONE), "fail"),
        ("kyc.government_id_expiry", card(mrz=LATER_ZONE), "pass"),
        ("kyc.government_id_expiry", card(mrz=ZONE, expiration_date="2030-12-24"), "fail"),
        ("kyc.government_id_expiry", card(mrz=LATER_ZONE, expiration_date="2034-04-15"), "pass"),
        ("kyc.government_id_expiry", card(mrz=LATER_ZONE, expiration_date="2035-04-15"), "review"),
        ("kyc.government_id_expiry", card(mrz=["nothing"]), "not_applicable"),
        ("kyc.government_id_mrz", card(mrz=ZONE, document_number="L898902C3"), "pass"),
        ("kyc.government_id_mrz", card(mrz=ZONE, document_number="ZE184226B"), "pass"),
        ("kyc.government_id_mrz", card(mrz=ZONE, document_number="L898902C8"), "review"),
        ("kyc.government_id_mrz", card(mrz=ZONE, document_number="184"), "review"),
        ("kyc.government_id_mrz", card(mrz=ZONE, document_number="-"), "review"),
        ("kyc.government_id_mrz", card(mrz=ZONE), "pass"),
        ("kyc.government_id_mrz", card(mrz=["nothing"]), "inconclusive"),
        ("kyc.government_id_number", card(document_number="44051401359", issuing_country="PL"), "pass"),
        ("kyc.government_id_number", card(document_number="44051401358", issuing_country="PL"), "fail"),
        ("kyc.government_id_number", card(document_number="44051401359", issuing_country="PL") | {"sex": "M"}, "pass"),
        ("kyc.government_id_number", card(document_number="44051401359", issuing_country="PL") | {"sex": "F"}, "review"),
        ("kyc.government_id_number", card(document_number="44051401359", issuing_country="PL") | {"sex": "Mujer"}, "review"),
        ("kyc.government_id_number", card(document_number="44051401359", issuing_country="PL") | {"sex": "Mx"}, "pass"),
        # The numbers of the cards themselves, beside which the personal number stands.
        *(("kyc.government_id_number", card(document_number=number, issuing_country=country, document_type="national_id"), "inconclusive")
          for country, number in (("IT", "CA12345AA"), ("BE", "592-1234567-89"), ("PL", "ABC123456"), ("RO", "RX123456"), ("ES", "X1234567L"), ("IN", "AAPFU0939F"))),
        ("kyc.government_id_number", card(document_number="030103-02-5128", issuing_country="MY") | {"date_of_birth": "2003-01-03"}, "pass"),
        ("kyc.government_id_number", card(document_number="030103-02-5128", issuing_country="MY") | {"date_of_birth": "2003-01-04"}, "fail"),
        ("kyc.id_vendor_result", card(vendor_name="V", vendor_validated=True, vendor_verification_url="https://v.example/1"), "pass"),
        ("kyc.id_vendor_result", card(vendor_name="V", vendor_validated=True, vendor_verification_url="http://[v"), "review"),
        ("kyc.id_vendor_result", card(vendor_name="V", vendor_validated=False), "fail"),
        *(("kyc.address_validation", {"address": {"street_1": "Street 1", "city": city, "state": state, "postal_code": code, "country_code": country}}, verdict)
          for country, city, state, code, verdict in (
              ("CN", "Beijing", "Beijing", "100006", "pass"), ("CO", "Bogotá", "Bogotá D.C.", "110321", "pass"), ("EG", "Cairo", "Cairo", "11511", "pass"),
              ("LT", "Vilnius", "", "LT-01103", "pass"), ("LU", "Luxembourg", "", "L-2449", "pass"), ("LV", "Rīga", "", "LV-1010", "pass"),
              ("US", "Cupertino", "Bavaria", "95014", "review"), ("LT", "Vilnius", "", "LT-0110", "review"),
          )),
        *(("kyb.high_risk_industry_check", {"industry": words}, verdict)
          for words, verdict in (
              ("Online-Glücksspiel", "review"), ("Apuestas deportivas", "review"), ("Казино", "review"), ("البيع بالتجزئة والقمار", "review"),
              ("線上賭場", "review"), ("Waffenhändler", "review"), ("Forex broker", "review"), ("Atomwaffen", "fail"),
              ("Bakery", "pass"), ("Hazardous waste", "pass"), ("Ristorante lombardo", "pass"), ("Булочная", "pass"), ("Καζίνο", "inconclusive"),
          )),
        # What a sentence denies is no line of business; what it offers beside that is one.
        *(("kyb.high_risk_industry_check", {"description": words}, "pass")
          for words in (
              "Bakery. We do not offer gambling.", "Software house, no crypto, no weapons", "Bäckerei, kein Glücksspiel", "Wir handeln nicht mit Waffen",
              "Logiciels sans cryptomonnaies", "Librería; no vendemos armas", "Padaria, não vendemos tabaco", "Магазин без табака", "مخبز، بدون تبغ",
              "软件开发，不涉及赌博", "游戏公司，无赌博业务", "Oyun geliştirme, kumar hariç", "Bahis yok", "Tütün satmıyoruz", "賭博は行っていません", "ゲーム開発（ギャンブルなし）",
              "Producent gier bez hazardu", "게임 개발 (도박 제외)", "Gambling-free family arcade", "Non-gambling social games", "Waffenfreie Sicherheitsdienste",
          )),
        *(("kyb.high_risk_industry_check", {"description": words}, "review")
          for words in (
              "No refunds. Online casino", "We do not sell tobacco, but run a casino", "We sell nothing except weapons, no", "Not only bread but also ammunition",
              "Nicht nur Bäckerei, sondern auch Wettbüro", "Pas de tabac, mais un casino", "Sin tabaco, pero con apuestas", "لا تبغ. كازينو",
              "Не только хлеб, но и казино", "不仅软件，还有赌场", "不卖烟草，经营赌场", "非常大的赌场", "Sadece ekmek değil, kumarhane", "Não só pão, mas também apostas",
              "Nie tylko chleb, ale i kasyno", "Restaurante e bar no casino", "No-limit poker room", "No 1 casino in town", "No deposit: casino",
          )),
        *(("kyb.high_risk_industry_check", {"industry": words}, "review")
          for words in (
              "Игорный бизнес", "銃砲火薬販売", "Kripto para borsası", "Casa de câmbio", "تجارة الذهب والمجوهرات", "Kuyumculuk", "Boutique érotique",
              "Товары для взрослых", "成人用品", "Sklep erotyczny", "Табачная торговля", "Tabacaria", "Cultivo de canábis", "Kasyno", "Armería", "Автомойка", "洗车店",
          )),
        *(("kyb.high_risk_industry_check", {"industry": words}, "pass")
          for words in ("Cryptography training", "Криптография", "Tabakovic Bau", "Educación para adultos", "ماسحات ضوئية", "Wettervorhersage", "Zahnarztpraxis")),
        *(("kyc.high_risk_country", {"country_of_nationality": name}, verdict)
          for name, verdict in (
              ("République islamique d\u2019Iran", "fail"), ("Исламская Республика Иран", "fail"), ("الجمهورية الإسلامية الإيرانية", "fail"), ("Мьянма", "fail"),
              ("ミャンマー", "fail"), ("ميانمار", "fail"), ("朝鲜民主主义人民共和国", "fail"), ("Сирийская Арабская Республика", "review"), ("République du Congo", "pass"),
              ("США", "pass"), ("Großbritannien", "pass"), ("Hongkong", "pass"), ("Republik Korea", "pass"), ("Persian", "inconclusive"), ("Nowhere", "inconclusive"),
          )),
        ("kyc.high_risk_country", {"country_of_nationality": "Nowhere", "country_of_residence": "PL"}, "inconclusive"),
        ("kyc.high_risk_country", {"country_of_nationality": "PL", "place_of_birth": "Warszawa"}, "pass"),
        *(("kyc.high_risk_country", {"country_of_nationality": name}, verdict)
          for name, verdict in (
              ("Иран", "fail"), ("伊朗", "fail"), ("北朝鮮", "fail"), ("Северная Корея", "fail"), ("N. Korea", "fail"), ("Irã", "fail"), ("İran", "fail"), ("Ιράν", "fail"),
              ("P.R. China", "pass"), ("Швейцария", "pass"),
          )),
        # The number of the card itself, of as many digits as a personal number.
        *(("kyc.government_id_number", {"date_of_birth": "1979-05-17"} | card(document_number=number, issuing_country=country, document_type="identity card"), verdict)
          for country, number, verdict in (
              ("CZ", "214829137", "inconclusive"), ("CL", "601.482.913", "inconclusive"), ("PT", "24418821", "inconclusive"), ("SK", "202345678", "inconclusive"),
              ("CZ", "795517/1236", "fail"), ("CL", "12.531.909-3", "fail"),
          )),
        ("kyb.tax_number", {"tin_number": "12-3456789"}, "fail"),
        ("kyb.tax_number", {"tin_number": "04-2103594", "address_of_incorporation": {"country_code": "US"}}, "pass"),
        *(("kyb.tax_number", {"tin_number": number, "address_of_incorporation": {"country_code": country}}, verdict)
          for country, number, verdict in (
              ("GB", "1955839661", "pass"), ("GB", "1955839662", "fail"), ("DE", "181/815/08155", "pass"),
              ("FR", "552 008 443", "pass"), ("SE", "556074-7569", "pass"), ("NO", "988 077 917", "pass"), ("CH", "CHE-100.155.212", "pass"),
              ("HU", "10625790-4-44", "pass"), ("JP", "T1180301018771", "pass"), ("IS", "471008-0280", "pass"), ("US", "91 1144442", "pass"),
              ("HU", "10625791-4-44", "fail"), ("US", "91 114444", "fail"), ("CZ", "DIČ: CZ45274649", "pass"), ("NO", "NO 923 609 016 MVA", "pass"),
              ("ZA", "4630113204", "review"),
              ("IN", "AAPFU0939F", "pass"), ("NL", "111222333", "pass"), ("AU", "004 085 616", "pass"), ("IT", "00743110157", "pass"),
          )),
        *(("kyb.registration_number", {"business_registration_number": number, "address_of_incorporation": {"country_code": country}}, verdict)
          for country, number, verdict in (
              ("DE", "HRB 12345", "pass"), ("DE", "HRA 123 B", "pass"), ("DE", "Köln HRB 12345", "pass"), ("DE", "HRB", "review"),
              ("DE", "Amtsgericht Köln, HRB 12345", "pass"), ("DE", "Amtsgericht Köln", "review"),
              ("GB", "SC441902", "pass"), ("GB", "09089904", "pass"), ("GB", "XX441902", "review"),
              ("NL", "33014286", "pass"), ("NL", "3301", "review"), ("IN", "U72200KA2009PTC049889", "pass"),
              ("IN", "U72200", "review"), ("FR", "732 829 320", "pass"), ("FR", "732 829 321", "fail"),
              ("PL", "0000127206", "pass"), ("US", "7085302", "not_applicable"), ("NZ", "9429037784669", "pass"),
              ("GB", "०९०८९९०४", "review"), ("NL", "KVK 33011433", "pass"), ("FR", "552 100 554 RCS Paris", "pass"), ("IE", "IE368047", "pass"),
              ("FR", "552 100 555 RCS Paris", "fail"), ("AU", "ACN 004 085 616", "pass"), ("PL", "KRS: 0000028860", "pass"), ("IT", "REA MI-123456", "pass"),
              ("CH", "CH-550.1.055.758-0", "pass"), ("RO", "J2024012345678", "pass"), ("RO", "1590082", "pass"), ("KR", "130111-0006246", "pass"),
              ("CA", "BC1234567", "pass"), ("HR", "080000604", "pass"), ("DE", "HRB 100484 Wolfsburg", "pass"),
          )),
        ("kyb.lei", {"lei": "213800KUD8LAJWSQ9D15"}, "inconclusive"),
        ("kyb.lei", {"lei": "213800KUD8LXJWSQ9D15"}, "fail"),
        ("kyb.incorporation_date", {"incorporation_date": "2027-01-01"}, "fail"),
        ("kyb.incorporation_date", {"incorporation_date": "2026-10-01"}, "review"),
        ("kyb.incorporation_date", {"incorporation_date": "1999-10-01"}, "pass"),
        ("kyb.high_risk_industry_check", {"industry": "Online casino"}, "review"),
        ("kyb.high_risk_industry_check", {"industry": "Bakery"}, "pass"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "percentage": 80}, {"name": "B", "percentage": 40}]}, "review"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "percentage": "80 %"}, {"name": "B", "percentage": "40,5"}]}, "review"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "percentage": 80}, {"name": "B", "percentage": "some"}]}, "pass"),
        # Shares in the words of a contract: without them a third of the business would be nobody's.
        ("kyb.ownership_math", {"owners": [{"name": "A", "share": "1/3"}, {"name": "B", "share": "33 1/3 %"}, {"name": "C", "share": "⅓"}]}, "pass"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "share": "2/3"}, {"name": "B", "share": "50 percent"}]}, "review"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "ownership": "50 Prozent"}, {"name": "B", "ownership": "1/2"}]}, "pass"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "share": "40/60"}]}, "not_applicable"),
        # Each share is rounded; whole percents are no rounding.
        ("kyb.ownership_math", {"owners": [{"name": name, "share": 16.67} for name in "ABCDEF"]}, "pass"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "share": 51}, {"name": "B", "share": 50}]}, "review"),
        ("kyb.ownership_math", {"owners": [{"name": "A", "share": "60.5"}, {"name": "B", "share": "40"}]}, "review"),
        ("kyb.address_validation", {"address_of_operation": {"country_code": "PL", "city": "Warszawa", "street_1": "Prosta 1", "postal_code": "00-850"}}, "pass"),
        ("kyb.address_validation", {"address_of_operation": {"country_code": "PL", "city": "Warszawa", "street_1": "Prosta 1", "postal_code": "1"}}, "review"),
    ],
)  # fmt: skip
def test_verdicts(check_id, attested, verdict):
    assert look(check_id, attested).verdict == verdict


def test_every_rule_that_is_named_is_there():
    named = {(cc, name) for cc, name in government_id._PERSONAL.items()}
    named |= {(cc, name) for cc, names in business._REGISTERS.items() for name in names}
    assert {
        one for one in named if get_cc_module(one[0].lower(), one[1]) is None
    } == set()


def test_the_zone_and_the_number_of_the_id_are_sources_of_the_date_of_birth():
    check = registry.get("kyc.date_of_birth")

    def verdict(attested):
        return check.tools[0].run(Evidence(attested=attested, today=TODAY)).verdict

    assert verdict({"date_of_birth": "1974-08-12"} | card(mrz=ZONE)) == "pass"
    assert verdict({"date_of_birth": "1974-08-13"} | card(mrz=ZONE)) == "fail"
    number = card(document_number="44051401359", issuing_country="PL")
    assert verdict({"date_of_birth": "1944-05-14"} | number) == "pass"
    assert verdict({"date_of_birth": "1944-05-15"} | number) == "fail"
    broken = [ZONE[0], ZONE[1].replace("7408122", "7408123")]
    assert verdict({"date_of_birth": "1974-08-13"} | card(mrz=broken)) == "pass"


def test_every_tampered_digit_of_a_zone_shows():
    line = ZONE[1]
    caught = total = 0
    for place in [*range(10), *range(13, 20), *range(21, 28)]:
        for digit in "0123456789":
            if digit != line[place]:
                total += 1
                forged = [ZONE[0], line[:place] + digit + line[place + 1 :]]
                caught += (
                    look("kyc.government_id_mrz", card(mrz=forged)).verdict == "fail"
                )
    assert caught / total >= 0.98


@pytest.mark.parametrize(
    ("email", "website", "verdict"),
    [
        ("us@acorn-mills.de", "https://shop.acorn-mills.de:8443/a", "pass"),
        ("us@acorn-mills.de", "https://other-mills.de", "review"),
        # An address of a machine is no domain at which an e-mail address could be.
        ("us@acorn-mills.de", "http://192.0.2.1:8080/", "pass"),
    ],
)
def test_an_address_is_compared_with_the_domain_of_the_website(email, website, verdict):
    data = {"contact_email_address": email, "website": website}
    assert look("kyb.email_check", data).verdict == verdict


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("https://münchen.de/a", "xn--mnchen-3ya.de"),
        ("STRAßE.de", "xn--strae-oqa.de"),
        ("例え.jp", "xn--r8jz45g.jp"),
    ],
)
def test_a_domain_in_letters_is_the_one_in_punycode(first, other):
    assert domains.registered(first) == domains.registered(other) == other


@pytest.mark.parametrize(
    ("street", "is_box"),
    [
        ("GPO Box 3", True), ("Private Bag X12", True), ("Locked Bag 5", True), ("Caixa Postal 5", True),
        ("Postboks 5", True), ("Postilokero 2", True), ("Casilla 12", True), ("\u0430/я 12", True), ("\u03a4.Θ. 12", True),
        ("ص.ب 12", True), ("12 Boxford Street", False), ("Bag Lane 3", False), ("Calle Casillas 4", False),
    ],
)  # fmt: skip
def test_post_boxes_of_many_countries_are_known(street, is_box):
    assert contact.is_post_box(street) is is_box


@pytest.mark.parametrize(
    ("owners", "verdict"),
    [
        # Two classes of shares of one owner.
        ([{"name": "Ada Weiss", "share": 13}, {"name": "ada  weiss", "share": 13}, {"name": "B Oy", "share": 10}], "pass"),
        ([{"first_name": "Ada", "last_name": "Weiss", "share": 13}] * 2, "pass"),
        ([{"business_name": "Acorn AG", "share": 13}] * 2, "pass"),
        ([{"share": 13}, {"share": 13}], "review"),
        ([{"name": "Ada Weiss", "share": 13}, {"name": "Bo Weiss", "share": 13}], "review"),
        ([{"name": "Ada Weiss", "ownership_percentage": None, "share": 80}], "pass"),
    ],
)  # fmt: skip
def test_the_shares_of_an_owner_are_one_share(owners, verdict):
    outcome = look("kyb.ownership_math", {"owners": owners})
    assert outcome.verdict == verdict


def test_a_company_that_owns_is_named():
    owners = [{"business_name": "Acorn AG", "share": 80}]
    outcome = look("kyb.ownership_math", {"owners": owners})
    assert outcome.payload["ownership"]["rows"][0]["label"] == "Acorn AG"


@pytest.mark.parametrize(
    ("lines", "born", "state"),
    [
        (ZONE, "1974-08-12", "pass"),
        (ZONE, "1974-08-13", "fail"),
        # 7408172 has a wrong check digit: the day was misread, and is not held against anybody.
        ([ZONE[0], ZONE[1].replace("7408122", "7408172")], "1974-08-12", ""),
        (ZONE, "12 August 1974", ""),
        # The zone has the year 25, which is that of a child, too.
        ([ZONE[0], ZONE[1].replace("7408122", "250812" + mrz.digit_of("250812"))], "1925-08-12", "pass"),
    ],
)  # fmt: skip
def test_a_zone_contradicts_only_the_days_that_it_surely_states(lines, born, state):
    outcome = look("kyc.government_id_mrz", {"date_of_birth": born} | card(mrz=lines))
    states = []
    for row in outcome.payload["mrz_check"]["rows"]:
        if row["label"] == "Date of birth":
            states.append(row["state"])
    assert states == ([state] if state else [])


@pytest.mark.parametrize(
    "data",
    [
        {"likelihood": 10**400}, {"likelihood": float("nan"), "name": ["Acorn", 5]}, {"name": {}},
        {"name": "Acorn", "location": {"street_address": [], "country": 5}, "founded": 2010},
        {"name": "Acorn", "founded": True, "website": "http://[", "number": "\x00", "lei": 5},
        {"address_of_incorporation": {"street_1": "1" * 900, "country": "GB"}, "legal_status": []},
    ],
)  # fmt: skip
def test_no_answer_of_a_vendor_breaks_the_comparison(data):
    payload = {
        "business_name": "Acorn", "lei": "x", "business_registration_number": "1", "website": "a.com",
        "incorporation_date": "2010-03-01",
        "address_of_incorporation": {"street_1": "1 High St", "country_code": "GB"},
    }  # fmt: skip
    lookups = Lookups(enrichment=Vendor(data))
    check = registry.get("kyb.enrichment_comparison")
    outcome = check.tools[0].run(
        Evidence(attested=payload, today=TODAY, lookups=lookups)
    )
    assert outcome.verdict in {"pass", "review", "inconclusive"}


@dataclass
class Vendor:
    """Answers as it likes."""

    data: dict[str, Any]

    def company(self, facts):
        return Enriched("success", "Vendor", self.data)


@dataclass
class Others:
    """Other cases of any shape."""

    found: list[Earlier]

    def sharing(self, marks, hints=()):
        return self.found


@pytest.mark.parametrize(
    "check", [c for c in registry.all_checks().values() if isinstance(c, DataCheck)]
)
@pytest.mark.parametrize(
    "text", [None, 5, [], ["x"], {"a": 1}, "x" * 300, "\x00", True]
)
def test_no_value_breaks_a_check(check, text):
    keys = (
        "first_name", "last_name", "email", "phone", "address", "country_of_nationality", "lei",
        "owners", "tin_number", "incorporation_date", "business_name", "website", "industry",
        "business_registration_number", "government_id_verification_data", "date_of_birth",
        "address_of_incorporation", "address_of_operation", "associated_addresses", "contact_email_address",
        "contact_phone_number", "proof_of_address_documents", "country_of_residence", "sex",
    )  # fmt: skip
    attested = dict.fromkeys(keys, text)
    others = Others(
        [Earlier("c2", attested, ""), Earlier("c3", {"address_of_operation": 5}, "")]
    )
    outcome = check.look(
        Evidence(attested=attested, today=TODAY, lookups=Lookups(cases=others))
    )
    assert outcome.verdict in {
        "pass",
        "review",
        "fail",
        "inconclusive",
        "not_applicable",
    }
    get_template(f"results/{check.payload_key}.html")
    assert check.__doc__


@pytest.mark.parametrize(
    ("attested", "other", "country", "expected"),
    [
        ("KVK 33011433", "33011433", "NL", "equal"),
        ("552 100 554 RCS Paris", "552100554", "FR", "equal"),
        ("FR83404833048", "404 833 048", "FR", "equal"),
        ("404833048", "404 833 048 00022", "FR", "equal"),
        ("10625790-4-44", "HU10625790", "HU", "equal"),
        ("NL004495445B01", "004495445", "NL", "equal"),
        ("01234567", "1234567", "GB", "equal"),
        ("12345", "HRB 12345", "DE", "close"),
        ("HRA 12345", "HRB 12345", "DE", None),
        ("SC441902", "OC441902", "GB", None),
        ("404833049", "404 833 048 00022", "FR", None),
        # An Arabic certificate has other digits than a form.
        ("1010123456", "١٠١٠١٢٣٤٥٦", "SA", "equal"),
        ("1010123457", "١٠١٠١٢٣٤٥٦", "SA", None),
    ],
)
def test_a_number_is_the_same_however_it_is_written(attested, other, country, expected):
    assert sameness([attested], other, country) == expected
    assert sameness([other], attested, country) == expected
