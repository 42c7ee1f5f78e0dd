# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
"""Names of companies with their legal forms and states, as registers of many countries write them."""

from __future__ import annotations

import pytest

from checks.fields.names.company_comparison import compare_names


@pytest.mark.parametrize(
    ("attested", "read"),
    [
        ("Fjord ehf.", "FJORD EHF"),
        ("Fjord ASA", "Fjord Allmennaksjeselskap"),
        ("Tallink AS", "Aktsiaselts Tallink"),
        ("Tacos S. de R.L. de C.V.", "TACOS S DE RL DE CV"),
        ("Tacos S.C.", "TACOS SOCIEDAD CIVIL"),
        ("Vinos E.I.R.L.", "VINOS EIRL"),
        ("Cacau Ltda", "CACAU LTDA - ME"),
        ("Leroy EURL", "EURL LEROY"),
        ("Eni S.p.A.", "ENI SOCIETÀ PER AZIONI"),
        ("Orlen Sp.j.", "ORLEN SPÓŁKA JAWNA"),
        ("Mol Bt.", "MOL BETÉTI TÁRSASÁG"),
        ("Ina d.d.", "INA DIONIČKO DRUŠTVO"),
        ("Petron Bhd", "PETRON BERHAD"),
        ("Gulf KSCC", "GULF K.S.C. (CLOSED)"),
        ("Volvo AB (publ)", "AB VOLVO"),
        ("Volvo AB (publ)", "AB VOLVO (PUBL)"),
        ("Acme CLG", "ACME COMPANY LIMITED BY GUARANTEE"),
        ("Acme Ltée", "ACME LTD"),
        ("Acme Pty Ltd", "ACME PROPRIETARY LIMITED"),
        ("Acme Pte Ltd", "ACME PRIVATE LIMITED"),
        ("Acme (P) Ltd", "ACME PRIVATE LIMITED"),
        ("Acme FZE", "ACME FREE ZONE ESTABLISHMENT"),
        ("Acme FZCO", "ACME FZ CO"),
        ("Caritas gGmbH", "CARITAS GEMEINNÜTZIGE GMBH"),
        ("Sahel SCS", "SAHEL SOCIÉTÉ EN COMMANDITE SIMPLE"),
        ("شركة النيل للتجارة ذ.م.م", "شركة النيل للتجارة ذات مسؤولية محدودة"),
        ("Acme 3 GmbH", "ACME ３ GMBH"),
        ("Fonds 1.000 GmbH", "FONDS 1000 GMBH"),
    ],
)
def test_one_form_in_two_spellings(attested, read):
    assert compare_names(attested, read).state == "equal"


@pytest.mark.parametrize(
    ("attested", "read"),
    [
        ("Marel ehf.", "Marel hf."),
        ("Tacos S. de R.L. de C.V.", "TACOS S.A. DE C.V."),
        ("Orlen Sp. z o.o. Sp. k.", "ORLEN SP. Z O.O."),
        ("Rossi S.r.l.", "ROSSI S.R.L.S."),
        ("Acme DAC", "ACME LTD"),
        ("Siam PCL", "SIAM CO LTD"),
        ("Gulf SAOC", "GULF SAOG"),
        ("Acme Pty Ltd", "ACME LTD"),
        ("Acme Pty Ltd", "ACME PTE LTD"),
        ("Acme Sdn. Bhd.", "ACME PTE LTD"),
        ("Acme Private Limited", "ACME LIMITED"),
        ("Acme FZE", "ACME FZCO"),
        ("Acme FZE", "ACME DMCC"),
        ("Acme FZ-LLC", "ACME L.L.C"),
        ("Acme FZ-LLC", "ACME L.L.C-FZ"),
        ("Acme PLLC", "ACME LLC"),
        ("Caritas gGmbH", "CARITAS GMBH"),
        ("Дунав ООД", "ДУНАВ ЕООД"),
        ("Andes S.A.A.", "ANDES S.A.C."),
        ("شركة الخليج للتجارة ذ.م.م", "شركة الخليج للتجارة ش.م.ع"),
        ("Fonds 1.5 GmbH", "FONDS 15 GMBH"),
        # Two letters may be a word of the name.
        ("Studio PC", "STUDIO"),
    ],
)
def test_another_form_is_for_a_person(attested, read):
    assert compare_names(attested, read).state == "close"


@pytest.mark.parametrize(
    ("attested", "read"),
    [
        ("Acme Ltd", "ACME LTD - IN LIQUIDATION"),
        ("Acme Ltd", "Acme Limited (Struck Off)"),
        ("Acme GmbH", "ACME GMBH I.L."),
        ("Acme S.A.", "ACME S.A. EN LIQUIDACIÓN"),
        ("Acme SRL", "ACME SRL IN LIQUIDAZIONE"),
        ("Acme Sp. z o.o.", "ACME SP. Z O.O. W LIKWIDACJI"),
        ("Acme s.r.o.", "ACME S.R.O. V LIKVIDACI"),
        ("Acme A.Ş.", "TASFİYE HALİNDE ACME A.Ş."),
        ("Acme Kft.", "ACME KFT. F.A."),
        ("Ромашка ООО", "ООО «Ромашка» в ликвидации"),
    ],
)
def test_the_state_of_a_company_is_no_part_of_its_name(attested, read):
    match = compare_names(attested, read)

    assert match.state == "close"
    assert "wound up" in match.how


def test_two_companies_stay_two():
    assert compare_names("Acme 1 Ltd in liquidation", "ACME 2 LTD").state == "differs"
    assert compare_names("Da Vinci Ltd", "VINCI LTD").state == "differs"
    assert compare_names("Siemens GmbH", "Siemens Verwaltungs GmbH").state == "differs"
