"""The form of a case, in a browser: its documents, its faults and its draft."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from reviews.models import Case
from tests.browser.accessibility import violations

PDF = b"%PDF-1.7\n%%EOF\n"


def test_documents_are_listed_with_a_guessed_kind(boss, heard, desk):
    boss.goto("/cases/new/")
    boss.get_by_label("Business name").fill("Parcha")
    boss.locator("#choose-files").set_input_files(
        [
            {"name": name, "mimeType": "application/pdf", "buffer": PDF}
            for name in ("certificate.pdf", "parcha_ein.pdf", "utility-bill.pdf", "wrong.pdf")
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
    boss.get_by_label("Kind of certificate.pdf").select_option("business_ownership_documents")
    expect(boss.locator("#api-call")).to_contain_text('"file_name": "parcha_ein.pdf"')
    assert violations(boss) == []
    boss.get_by_role("button", name="Start review").click()
    boss.wait_for_url("**/cases/*/")
    kept = set(Case.objects.get().documents.values_list("file_name", "kind"))
    assert kept == {
        *kinds.items() - {("certificate.pdf", "incorporation_documents")},
        ("certificate.pdf", "business_ownership_documents"),
    }
    assert heard.complaints == []


def test_faults_are_summed_up_with_links_to_their_fields(boss, desk):
    boss.goto("/cases/new/")
    boss.get_by_label("Website").fill("ht tp:/")
    boss.get_by_role("button", name="Start review").click()
    summary = boss.get_by_role("region", name="1 thing to correct")
    expect(summary).to_be_focused()
    assert violations(boss) == []
    summary.get_by_role("link", name="Website").click()
    assert boss.evaluate("location.hash") == "#id_website"


def test_files_chosen_before_the_script_came_stay_chosen(boss, desk):
    held = []
    boss.route("**/js/submit*.js", lambda route: held.append(route))
    boss.goto("/cases/new/", wait_until="commit")
    paper = {"name": "ein.pdf", "mimeType": "application/pdf", "buffer": PDF}
    boss.get_by_label("EIN letter").set_input_files(paper)
    held[0].continue_()
    expect(boss.get_by_label("Kind of ein.pdf")).to_have_value("ein_documents")
    boss.get_by_label("Business name").fill("Parcha")
    boss.get_by_role("button", name="Start review").click()
    boss.wait_for_url("**/cases/*/")
    assert Case.objects.get().documents.get().kind == "ein_documents"


def test_a_field_is_judged_when_it_is_left_and_the_draft_is_kept(boss, heard, desk):
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
    assert "Parcha" not in boss.evaluate("JSON.stringify([localStorage, sessionStorage])")
    assert heard.complaints == []


def test_the_sides_of_an_id_are_guessed_and_stand_in_the_call(boss, desk):
    boss.goto("/cases/new/?kind=kyc")
    guessed = {
        "passport.png": "front_image_url",
        "card-back.png": "back_image_url",
        "selfie.png": "face_match_image_url",
        "utility-bill.png": "proof_of_address_documents",
    }
    files = [
        {"name": name, "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n"} for name in guessed
    ]
    boss.locator("#choose-files").set_input_files(files)
    for name, kind in guessed.items():
        expect(boss.get_by_label(f"Kind of {name}")).to_have_value(kind)
    call = boss.locator("#api-call").inner_text()
    card = json.loads(call[call.index("{") :])["kyc_schema"]["self_attested_data"]
    pictures = {"front_image_url": "…", "back_image_url": "…", "face_match_image_url": "…"}
    assert card["government_id_verification_data"] == {"id_data": pictures}
    assert violations(boss) == []
