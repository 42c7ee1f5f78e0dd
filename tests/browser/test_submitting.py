"""The form of a case, in a browser: its documents, its faults and its draft."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from reviews.intake import information_requests
from reviews.models import Case
from tests.browser.accessibility import violations
from tests.reviews.applicant_links import path_and_key
from tests.reviews.rows import decide, open_case, someone

PDF = b"%PDF-1.7\n%%EOF\n"


def test_documents_are_listed_with_a_guessed_kind(boss, page_events, desk):
    boss.goto("/cases/new/")
    boss.get_by_label("Business name").fill("Parcha")
    boss.locator("#choose-files").set_input_files(
        [
            {"name": name, "mimeType": "application/pdf", "buffer": PDF}
            for name in (
                "certificate.pdf",
                "parcha_ein.pdf",
                "utility-bill.pdf",
                "wrong.pdf",
            )
        ]
    )
    kinds = {
        "certificate.pdf": "incorporation_documents",
        "parcha_ein.pdf": "ein_documents",
        "utility-bill.pdf": "proof_of_address_documents",
    }
    for name, kind in kinds.items():
        expect(boss.get_by_label(f"Kind of {name}")).to_have_value(kind)
    boss.get_by_role("button", name="Remove wrong.pdf").click()
    boss.get_by_label("Kind of certificate.pdf").select_option(
        "business_ownership_documents"
    )
    expect(boss.locator("#api-call")).to_contain_text('"file_name": "parcha_ein.pdf"')
    assert violations(boss) == []
    boss.get_by_label("Business name").press("Control+Enter")
    boss.wait_for_url("**/cases/*/")
    names = {(row.file_name, row.kind) for row in Case.objects.get().documents.all()}
    assert names == {
        *kinds.items() - {("certificate.pdf", "incorporation_documents")},
        ("certificate.pdf", "business_ownership_documents"),
    }
    assert page_events.complaints == []


def test_a_key_leads_to_each_section_and_to_the_files(boss, page_events, desk):
    boss.goto("/cases/new/")
    boss.wait_for_load_state("networkidle")
    boss.keyboard.press("u")
    expect(boss.locator("#choose-files")).to_be_focused()
    boss.locator("#choose-files").blur()
    boss.keyboard.press("1")
    expect(boss.get_by_label("Business name", exact=True)).to_be_focused()
    # In a field, the keys are text.
    boss.keyboard.type("u1")
    expect(boss.get_by_label("Business name", exact=True)).to_have_value("u1")
    assert page_events.complaints == []


def test_the_form_stays_in_sight_when_the_file_field_takes_the_focus(boss, desk):
    """The field is hidden from the eye, and the document must not scroll to it."""
    boss.set_viewport_size({"width": 1280, "height": 500})
    boss.goto("/cases/new/")
    boss.locator("#choose-files").focus()
    expect(boss.get_by_text("choose them")).to_be_in_viewport()
    assert boss.evaluate("document.scrollingElement.scrollTop") == 0


def test_faults_are_summed_up_with_links_to_their_fields(boss, desk):
    boss.goto("/cases/new/")
    boss.get_by_label("Website").fill("ht tp:/")
    boss.get_by_role("button", name="Start review").click()
    summary = boss.get_by_role("region", name="1 thing to correct")
    expect(summary).to_be_focused()
    assert violations(boss) == []
    summary.get_by_role("link", name="Website").click()
    assert boss.evaluate("location.hash") == "#id_website"


def test_a_file_that_other_software_puts_in_a_hidden_field_is_sent(boss, desk):
    boss.goto("/cases/new/")
    paper = {"name": "letter.pdf", "mimeType": "application/pdf", "buffer": PDF}
    boss.locator("[name=ein_documents]").set_input_files(paper)
    kind = boss.get_by_label("Kind of letter.pdf")
    expect(kind).to_have_value("ein_documents")


def test_files_chosen_before_the_script_came_stay_chosen(boss, desk):
    rows = []
    boss.route("**/js/submit*.js", lambda route: rows.append(route))
    boss.goto("/cases/new/", wait_until="commit")
    paper = {"name": "ein.pdf", "mimeType": "application/pdf", "buffer": PDF}
    boss.get_by_label("EIN letter").set_input_files(paper)
    rows[0].continue_()
    expect(boss.get_by_label("Kind of ein.pdf")).to_have_value("ein_documents")
    boss.get_by_label("Business name").fill("Parcha")
    boss.get_by_role("button", name="Start review").click()
    boss.wait_for_url("**/cases/*/")
    assert Case.objects.get().documents.get().kind == "ein_documents"


def test_a_field_is_judged_when_it_is_left_and_the_draft_is_kept(
    boss, page_events, desk
):
    boss.goto("/cases/new/")
    website = boss.get_by_label("Website")
    website.fill("ht tp:/")
    website.press("Tab")
    expect(boss.locator("#id_website_error")).to_contain_text("must be an address")
    expect(website).to_have_attribute("aria-invalid", "true")
    expect(boss.locator("#draft")).to_contain_text("Draft kept")
    assert violations(boss) == []
    website.fill("https://parcha.example")
    website.press("Tab")
    expect(boss.locator("#id_website_error")).to_be_empty()
    expect(website).to_have_attribute("aria-invalid", "false")
    # Not the answer to the draft before it, which may be on its way.
    with boss.expect_response(
        lambda r: "draft" in r.url and "Parcha" in (r.request.post_data or "")
    ):
        boss.get_by_label("Business name").fill("Parcha")
        boss.get_by_label("Business name").press("Tab")
    boss.goto("/cases/new/")
    expect(website).to_have_value("https://parcha.example")
    expect(boss.get_by_label("Business name")).to_have_value("Parcha")
    expect(boss.locator("#api-call")).to_contain_text('"business_name": "Parcha"')
    assert "Parcha" not in boss.evaluate(
        "JSON.stringify([localStorage, sessionStorage])"
    )
    assert page_events.complaints == []


def test_the_sides_of_an_id_are_guessed_and_stand_in_the_call(boss, desk):
    boss.goto("/cases/new/?kind=kyc")
    guessed = {
        "passport.png": "front_image_url",
        "card-back.png": "back_image_url",
        "selfie.png": "face_match_image_url",
        "utility-bill.png": "proof_of_address_documents",
    }
    files = [
        {"name": name, "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n"}
        for name in guessed
    ]
    boss.locator("#choose-files").set_input_files(files)
    for name, kind in guessed.items():
        expect(boss.get_by_label(f"Kind of {name}")).to_have_value(kind)
    call = boss.locator("#api-call").inner_text()
    card = json.loads(call[call.index("{") :])["kyc_schema"]["self_attested_data"]
    pictures = {
        "front_image_url": "…",
        "back_image_url": "…",
        "face_match_image_url": "…",
    }
    assert card["government_id_verification_data"] == {"id_data": pictures}
    assert violations(boss) == []


def chosen(*named: tuple[str, bytes]) -> list[dict[str, object]]:
    return [
        {"name": name, "mimeType": "", "buffer": content} for name, content in named
    ]


def test_one_wrong_field_loses_no_chosen_file(boss, page_events, desk):
    boss.goto("/cases/new/")
    boss.get_by_label("Business name").fill("Parcha")
    boss.get_by_label("Website").fill("ht tp:/")
    boss.locator("#choose-files").set_input_files(
        chosen(("deed.pdf", PDF), ("letter.pdf", PDF))
    )
    boss.get_by_label("Kind of letter.pdf").select_option("ein_documents")
    boss.get_by_role("button", name="Start review").click()
    expect(boss.get_by_role("region", name="1 thing to correct")).to_contain_text(
        "are kept"
    )
    rows = boss.get_by_role("list", name="Files that are kept")
    expect(rows.get_by_role("listitem")).to_have_count(2)
    expect(boss.get_by_label("Kind of letter.pdf")).to_have_value("ein_documents")
    expect(boss.locator("#api-call")).to_contain_text('"file_name": "deed.pdf"')
    assert violations(boss) == []
    boss.get_by_label("Website").fill("https://parcha.example")
    boss.get_by_role("button", name="Start review").click()
    boss.wait_for_url("**/cases/*/")
    names = {(row.file_name, row.kind) for row in Case.objects.get().documents.all()}
    assert names == {
        ("deed.pdf", "incorporation_documents"),
        ("letter.pdf", "ein_documents"),
    }
    assert page_events.complaints == []


def test_what_cannot_be_taken_is_said_when_it_is_chosen(boss, page_events, desk):
    boss.goto("/cases/new/")
    wrong = {
        "picture.webp": b"RIFF\x20\0\0\0WEBPVP8 ",
        "moving.gif": b"GIF89a" + b"\0" * 20,
        "letter.pdf": b"<html>a page</html>",
        "empty.pdf": b"",
    }
    boss.locator("#choose-files").set_input_files(
        chosen(("deed.pdf", PDF), *wrong.items())
    )
    rows = boss.get_by_role("list", name="Chosen documents").get_by_role("listitem")
    for name, content in wrong.items():
        words = "This is not a PDF, PNG" if content else "This file is empty."
        expect(rows.filter(has_text=name)).to_contain_text(words)
    expect(rows.filter(has_text="deed.pdf")).not_to_contain_text("This ")
    assert violations(boss) == []
    assert page_events.complaints == []


def test_an_applicant_is_told_when_choosing_and_loses_no_file(
    page, page_events, live_server
):
    case = open_case()
    decide(case, someone("analyst"), "request", kinds=["ein_documents"])
    page.goto(path_and_key(information_requests.address(case.requests.get())))
    both = chosen(("letter.pdf", PDF), ("page.pdf", b"<html>"))
    page.get_by_label("Choose a file: EIN letter").set_input_files(both)
    # The name is isolated from the direction of the sentence.
    expect(page.locator(".err").first).to_contain_text(
        "\u2068page.pdf\u2069: This is not a PDF"
    )
    expect(page.locator(".kept-file")).to_contain_text("letter.pdf")
    for width in (390, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert case.documents.get().file_name == "letter.pdf"
    assert page_events.complaints == []


def test_a_note_with_a_wrong_file_is_not_sent_and_loses_nothing(boss, page_events):
    case = open_case()
    boss.goto(f"/cases/{case.pk}/?tab=activity")
    boss.get_by_label("Note @name mentions a colleague").fill("They called.")
    field = boss.locator("#note-files")
    field.set_input_files(chosen(("deed.pdf", PDF), ("page.pdf", b"<html>")))
    text = "(field) => field.validationMessage"
    expect(boss.locator("#note-files:invalid")).to_have_count(1)
    assert "page.pdf: This is not a PDF" in field.evaluate(text)
    boss.get_by_role("button", name="Write").click()
    assert not case.notes.exists()
    field.set_input_files(chosen(("deed.pdf", PDF)))
    expect(boss.locator("#note-files:invalid")).to_have_count(0)
    boss.get_by_role("button", name="Write").click()
    expect(boss.locator(".notes .file")).to_contain_text("deed.pdf")
    assert page_events.complaints == []


def test_owners_are_named_in_rows_also_on_a_phone(boss, page_events, desk):
    boss.set_viewport_size({"width": 390, "height": 800})
    boss.goto("/cases/new/")
    boss.get_by_label("Business name").fill("Parcha")
    row = boss.get_by_role("group", name="Owner or officer 1")
    row.get_by_label("Role").select_option("owner")
    row.get_by_label("Kind").select_option("company")
    row.get_by_label("Name", exact=True).fill("Mid GmbH")
    row.get_by_label("Share in percent").fill("lots")
    row.get_by_label("Date of birth").focus()
    expect(row.get_by_text("Enter a share in percent")).to_have_count(0)
    # By the keyboard: the form comes back with what was typed, at the first new row.
    boss.get_by_role("button", name="Add rows for owners and officers").press("Enter")
    boss.wait_for_url("**#parties-3")
    expect(boss.get_by_role("group", name="Owner or officer 6")).to_be_attached()
    row = boss.get_by_role("group", name="Owner or officer 1")
    expect(row.get_by_label("Name", exact=True)).to_have_value("Mid GmbH")
    width = (
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    assert boss.evaluate(width)
    assert violations(boss) == []
    boss.get_by_role("button", name="Start review").click()
    expect(row.get_by_text("Enter a share in percent")).to_be_visible()
    share = row.get_by_label("Share in percent")
    share.fill("60")
    expect(boss.locator("#api-call")).to_contain_text('"percentage": "60 %"')
    # Enter in a field starts the review, and adds no rows.
    share.press("Enter")
    boss.wait_for_url("**/cases/*/")
    [owner] = Case.objects.get().self_attested_data["owners"]
    assert owner["business_name"] == "Mid GmbH"
    assert page_events.complaints == []


def test_a_long_answer_does_not_push_the_buttons_off_the_page(boss, desk):
    boss.set_viewport_size({"width": 1440, "height": 900})
    boss.goto("/cases/new/")
    boss.get_by_label("Business purpose").fill("Software for goods transport. " * 4)
    expect(boss.locator("#api-call")).to_contain_text("goods transport")
    width = boss.evaluate("document.documentElement.clientWidth")
    box = boss.get_by_role("button", name="Start review").bounding_box()
    assert box["x"] + box["width"] <= width
