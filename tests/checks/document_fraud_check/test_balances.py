"""Running balances of a statement: each follows from the one before it."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from checks.document_fraud_check.content.balances import broken_balance
from checks.document_fraud_check.content.sums import broken_sum
from checks.text.words import Line, Word
from papers.geometry import Box
from tests.checks.documents import evidence_of, indicators_of, make_pdf

AMOUNTS = (-120_50, 900_00, -33_10, -410_00, 75_25, -61_99, 1_200_00, -15_00, -88_40)


def cents(amount: int) -> str:
    return f"{abs(amount) / 100:,.2f}"


def statement(*, newest_first: bool = False, **changed: str) -> list[str]:
    balance = 5_000_00
    rows = []
    for number, amount in enumerate(AMOUNTS):
        balance += amount
        stated = changed.get(f"amount_{number}", cents(amount))
        total = changed.get(f"balance_{number}", cents(balance))
        rows.append(f"{number + 3:02d}/05/2025  Payment  {stated}  {total}")
    if newest_first:
        rows.reverse()
    return ["Opening balance  5,000.00", *rows, "Totals  729.00  2,175.25"]


def lines(rows: list[str]) -> list[Line]:
    made = []
    for row, text in enumerate(rows):
        words = []
        for column, word in enumerate(text.split()):
            top = 0.1 + row / 50
            place = Box(1, column / 10, top, column / 10 + 0.08, top + 0.01)
            words.append(Word(word, place))
        made.append(Line(tuple(words)))
    return made


@pytest.mark.parametrize("newest_first", [False, True])
def test_an_amount_that_was_changed_breaks_one_balance(newest_first):
    changed = {"amount_4": "10,075.25"}
    broken = broken_balance(lines(statement(newest_first=newest_first, **changed)))

    assert broken is not None
    assert broken.due - broken.stated == 10_000_00
    assert "10,075.25" in broken.text


def test_a_balance_that_was_changed_breaks_two():
    broken = broken_balance(lines(statement(balance_5="95,349.66")))

    assert broken is not None
    assert broken.stated == 95_349_66


def test_two_balances_that_do_not_follow_are_not_told_apart():
    rows = statement(amount_1="10,900.00", amount_6="2,200.00")

    assert broken_balance(lines(rows)) is None


@pytest.mark.parametrize("newest_first", [False, True])
def test_balances_that_follow_are_right(newest_first):
    assert broken_balance(lines(statement(newest_first=newest_first))) is None


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_balance_that_crosses_zero_follows(newest_first):
    """An overdrawn account: the sign is a minus, a word behind the amount, or a colour."""
    rows = []
    balance = 5_00
    for day, amount in enumerate(AMOUNTS, 3):
        balance += amount
        sign = " OD" if balance < 0 else ""
        rows.append(f"{day:02d}/05/2025 Rent {cents(amount)} {cents(balance)}{sign}")
    if newest_first:
        rows.reverse()

    assert any("OD" in row for row in rows)
    assert broken_balance(lines(rows)) is None


SUMMARY = ["Opening balance  5,000.00", "Closing balance  6,446.26"]


@pytest.mark.parametrize("newest_first", [False, True])
def test_the_first_transaction_follows_from_the_balance_before_it(newest_first):
    rows = statement(newest_first=newest_first, amount_0="1,120.50")[1:-1]
    ends = [f"03/05/2025  {SUMMARY[0]}"]
    pages = [*rows, *ends] if newest_first else [*ends, *rows]

    broken = broken_balance(lines(pages))

    assert broken is not None
    assert broken.due - broken.stated == -1_000_00
    assert broken_balance(lines([*SUMMARY, *statement()[1:]])) is None


@pytest.mark.parametrize("newest_first", [False, True])
def test_the_balance_at_the_end_is_that_of_the_last_transaction(newest_first):
    rows = statement(newest_first=newest_first)[1:-1]
    right = "Closing balance  6,446.26"
    wrong = "Closing balance  9,446.26"

    def page(end: str) -> list[Line]:
        return lines([end, *rows] if newest_first else [*rows, end])

    broken = broken_balance(page(wrong))

    assert broken is not None
    assert wrong.split()[-1] in broken.text
    assert broken_balance(page(right)) is None


def test_a_summary_may_speak_of_pages_that_were_not_sent():
    """The first page alone: its last balance is not the closing one."""
    summary = ["Opening balance  5,000.00", "Closing balance  31,200.00"]

    assert broken_balance(lines([*summary, *statement()[1:-1]])) is None


def test_equal_payments_follow_in_both_orders():
    rows = []
    balance = 9_000_00
    for day in range(1, 12):
        amount = 300_00 if day == 6 else 500_00
        balance -= amount
        rows.append(f"{day}.05.2025 Rent {cents(amount)} {cents(balance)}")

    assert broken_balance(lines(rows)) is None


def test_a_table_with_other_columns_is_not_added_up():
    """Unit prices and totals of an invoice: no total follows from the one before it."""
    prices = (1000, 2550, 399, 12900, 850, 4400, 1275)
    rows = [
        f"{n + 1} Part {cents(p)} {cents(p * (n + 2))}" for n, p in enumerate(prices)
    ]

    assert broken_balance(lines(rows)) is None


def page_of(rows: list[tuple[str, str, str]]) -> list[Line]:
    """The lines of a page with two columns of amounts, each set to its right edge."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1)
    canvas.setFont("Helvetica", 9)
    for number, (text, amount, balance) in enumerate(rows):
        canvas.drawString(50, 780 - 14 * number, text)
        canvas.drawRightString(430, 780 - 14 * number, amount)
        canvas.drawRightString(540, 780 - 14 * number, balance)
    canvas.save()
    [page] = evidence_of(buffer.getvalue()).pages
    return list(page.lines)


@pytest.mark.parametrize("mark", [" ", "\u00a0", ".", "'"])
def test_thousands_are_parted_in_many_ways(mark):
    """With spaces an amount is two words. The balance passes a thousand in one row only."""

    def parted(amount: int) -> str:
        english = cents(amount)
        return english[:-3].replace(",", mark) + "," + english[-2:]

    def rows(edited: int = 0) -> list[tuple[str, str, str]]:
        balance = 12_980_10
        made = []
        amounts = (-20_00, -61_40, 30_15, 9_00, 1_040_00, 7_00, 8_10)
        for number, amount in enumerate(amounts):
            balance += amount
            stated = amount + edited if number == 4 else amount
            made.append(
                (f"{number + 3:02d}/05/2025 Card 12", parted(stated), parted(balance))
            )
        return made

    assert broken_balance(page_of(rows())) is None
    broken = broken_balance(page_of(rows(edited=9_000_00)))
    assert broken is not None
    assert broken.stated == 13_977_85


def test_lakhs_are_amounts():
    rows = []
    balance = 12_98_000
    for number in range(8):
        balance += 1_200
        whole = str(balance)
        stated = "9,200.00" if number == 4 else "1,200.00"
        rows.append(
            f"{number + 1:02d}/05/2025 NEFT {stated} {whole[:2]},{whole[2:4]},{whole[4:]}.00"
        )

    broken = broken_balance(lines(rows))

    assert broken is not None
    assert "9,200.00" in broken.text


def test_sums_with_spaces_between_thousands_are_not_compared():
    sums = ("Opening balance 12 845.67", "Total credits 200.00", "Total debits 10.00", "Closing balance 13 035.67")  # fmt: skip

    assert "amounts_inconsistent" not in indicators_of(make_pdf("\n".join(sums)))


def test_the_indicator_names_both_balances():
    page = "\n".join(statement(amount_4="10,075.25"))
    result = indicators_of(make_pdf(page))["amounts_inconsistent"]

    assert result["type"] == "RISK"
    assert "15,411.65" in result["description"]
    assert len(result["boxes"]) == 2
    right = indicators_of(make_pdf("\n".join(statement())))
    assert "amounts_inconsistent" not in right


@pytest.mark.parametrize(
    "page",
    [
        # An overdrawn account.
        "Opening balance -£120.00\nMoney in 500.00\nMoney out -300.00\nClosing balance £80.00",
        "Opening balance 120.00DR\nMoney in 50.00\nMoney out 30.00\nClosing balance 100.00DR",
        # A credit note.
        "Subtotal -100.00\nVAT -20.00\nTotal -120.00",
        "Subtotal $100.00\nTax $20.00\nTotal $120.00",
    ],
)
def test_amounts_below_zero_add_up(page):
    assert "amounts_inconsistent" not in indicators_of(make_pdf(page))


def test_amounts_that_do_not_add_up_are_named():
    page = "Opening balance -120.00\nMoney in 500.00\nMoney out 300.00\nClosing balance 880.00"
    result = indicators_of(make_pdf(page))["amounts_inconsistent"]

    assert result["description"] == (
        "The amounts give 80.00 and the document says 880.00."
    )


IN_LANGUAGES = {
    "de": (
        ("Anfangssaldo 4.211,08", "Summe Gutschriften 1.500,00", "Summe Belastungen 711,08", "Endsaldo 5.000,00 EUR"),
        ("Zwischensumme 1.843,50 €", "zzgl. MwSt. 19 % 350,27 €", "Gesamtbetrag 2.193,77 €"),
    ),
    "fr": (
        ("Solde précédent 4 211,08", "Total des crédits 1 500,00", "Total des débits 711,08", "Nouveau solde 5 000,00"),
        ("Total HT 1 843,50", "TVA 20,00 % 368,70", "Total TTC 2 212,20"),
    ),
    "es": (
        ("Saldo inicial 4.211,08", "Total abonos 1.500,00", "Total cargos 711,08", "Saldo final 5.000,00"),
        ("Base imponible 1.843,50", "IVA 21 % 387,14", "Total factura 2.230,64"),
    ),
    "pl": (
        ("Saldo początkowe 4 211,08", "Suma uznań 1 500,00", "Suma obciążeń 711,08", "Saldo końcowe 5 000,00 PLN"),
        ("Razem netto 1 843,50", "VAT 23 % 424,01", "Do zapłaty 2 267,51 zł"),
    ),
    "en": (
        ("Opening balance 4,211.08", "Total credits 1,500.00", "Total debits 711.08", "Closing balance 5,000.00"),
        ("Subtotal £1,843.50", "VAT 20% £368.70", "Total £2,212.20"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("rows", [r for two in IN_LANGUAGES.values() for r in two])
def test_sums_in_other_languages_add_up_or_not(rows):
    right = [Line(tuple(each.words)) for each in lines(list(rows))]
    changed = [*rows[:-1], rows[-1].replace("2", "8").replace("5", "9", 1)]

    assert broken_sum(right) is None
    broken = broken_sum(lines(changed))
    assert broken is not None
    assert [line.text for line in broken.lines] == changed


@pytest.mark.parametrize(
    "rows",
    [
        # An amount between the parts.
        ("Base imponible 1.000,00", "Descuento 100,00", "IVA 21 % 189,00", "Total 1.089,00"),
        # Two rates of tax.
        ("Nettobetrag 1.000,00", "MwSt. 7 % 7,00", "MwSt. 19 % 171,00", "Gesamtbetrag 1.178,00"),
        # A row with the amount that is taxed.
        ("Total HT 1 000,00", "TVA 20 % 1 000,00 200,00", "Total TTC 900,00"),
        # The parts of two languages are no sum.
        ("Total HT 1 000,00", "MwSt. 190,00", "Total factura 900,00"),
    ],
)  # fmt: skip
def test_amounts_of_which_the_sum_is_not_known_are_not_compared(rows):
    assert broken_sum(lines(list(rows))) is None


@pytest.mark.parametrize(
    ("rows", "changed"),
    [
        # The balance of a credit card is a debt.
        (("Saldo anterior 500,00", "Abonos 500,00", "Cargos 320,15", "Saldo actual 320,15"), "Saldo actual 120,15"),
        (("Previous balance 500.00", "Credits 500.00", "Debits 320.15", "New balance 320.15"), "New balance 120.15"),
        # The tax is within the prices.
        (("Subtotal 125,00", "Heraf moms 25,00", "I alt 125,00"), "I alt 195,00"),
        (("Subtotal 10.60", "GST 6% 0.60", "Total 10.60"), "Total 19.60"),
        # A total is rounded to the smallest coin.
        (("Nettobetrag 100.03", "MwSt. 8.1 % 8.10", "Rechnungsbetrag 108.15"), "Rechnungsbetrag 108.75"),
        (("Netto 1 233,20", "Moms 308,30", "Att betala 1 542,00"), "Att betala 1 543,00"),
    ],
)  # fmt: skip
def test_sums_of_debts_of_prices_with_tax_and_of_rounded_totals(rows, changed):
    assert broken_sum(lines(list(rows))) is None
    assert broken_sum(lines([*rows[:-1], changed])) is not None


def test_a_number_that_may_be_a_rate_or_thousands_counts_as_both():
    rows = ["Total HT 100,00", "TVA 20 100,00", "Total TTC 20 200,00"]

    assert broken_sum(lines(rows)) is None
    assert broken_sum(lines([*rows[:-1], "Total TTC 200,00"])) is None
    assert broken_sum(lines([*rows[:-1], "Total TTC 300,00"])) is not None


def test_thousands_that_were_added_to_a_balance_are_no_count_before_it():
    rows = ["Saldo początkowe 4 211,08", "Suma uznań 1 500,00", "Suma obciążeń 711,08", "Saldo końcowe 5 000,00"]  # fmt: skip

    assert broken_sum(lines(rows)) is None
    assert broken_sum(lines([*rows[:-1], "Saldo końcowe 25 000,00"])) is not None


def _of_two_pages(head: list[list[str]], **changed: str) -> list[Line]:
    rows = statement(newest_first=False, **changed)[1:-1]
    made: list[Line] = []
    for number, part in enumerate((rows[:4], rows[4:])):
        for line in lines([*head[number], *part]):
            words = []
            for word in line.words:
                box = replace(word.box, page=number + 1)
                words.append(replace(word, box=box))
            made.append(Line(tuple(words)))
    return made


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("Opening balance", "Closing balance"), ("Saldo anterior", "Saldo final")],
)
def test_a_summary_at_the_head_of_each_page_begins_no_table(opening, closing):
    head = [f"{opening}  5,000.00", f"{closing}  6,446.26"]

    assert broken_balance(_of_two_pages([head, head])) is None
    changed = _of_two_pages([head, head], amount_0="9,120.50")
    assert broken_balance(changed) is not None


def test_a_balance_that_a_page_brings_forward_begins_its_table():
    first, second = ["Opening balance  5,000.00"], ["Balance brought forward  5,336.40"]
    assert broken_balance(_of_two_pages([first, second])) is None
    wrong = ["Balance brought forward  5,836.40"]
    assert broken_balance(_of_two_pages([first, wrong])) is not None


def test_a_closing_balance_of_another_language_must_be_the_last_one():
    rows = []
    balance = 1_000_00
    for number in range(8):
        # Equal amounts would follow from the last row to the first, too.
        amount = 12_50 + number * 100
        balance += amount
        whole = f"{balance / 100:,.2f}".translate(str.maketrans(",.", ".,"))
        paid = f"{amount / 100:.2f}".replace(".", ",")
        rows.append(f"{number + 1:02d}.05.2025  Zahlung  {paid}  {whole}")
    last = rows[-1].split()[-1]

    assert broken_balance(lines([*rows, f"Neuer Saldo  {last}"])) is None
    assert broken_balance(lines([*rows, "Neuer Saldo  9.100,00"])) is not None
