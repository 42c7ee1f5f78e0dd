"""The page of a request on a phone: kept as it comes, readable in both themes, without a fault."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, expect

from reviews.applicants import invitations
from reviews.intake import information_requests, links
from reviews.models import Case, DraftFile, Kind, Organisation
from tests import factories
from tests.browser.accessibility import violations
from tests.compliance.storage.files import PDF
from tests.reviews.applicant_links import path_and_key
from tests.reviews.rows import decide, open_case, someone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = {"name": "deed.pdf", "mimeType": "application/pdf", "buffer": PDF}


@pytest.fixture
def phone(browser, live_server, browser_context_args):
    """A phone: 390 pixels wide, with a finger."""
    context = browser.new_context(
        base_url=live_server.url,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    # A busy machine is slow, not wrong.
    context.set_default_timeout(90_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def case(live_server) -> Case:
    Organisation.objects.create(
        name="Fjord Bank", contact="+45 11 22 33", colour="#0f5132", due_at=None
    )
    case = open_case()
    decide(
        case,
        someone("analyst"),
        "request",
        kinds=["incorporation_documents", "ein_documents"],
    )
    return case


def path_of(case: Case) -> str:
    return path_and_key(information_requests.address(case.requests.get()))


def has_no_sideways_scroll(page: Page) -> bool:
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


def test_a_request_is_answered_on_a_phone_after_its_tab_was_closed(phone, case):
    complaints: list[str] = []
    phone.on("console", lambda text: complaints.append(text.text))
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    phone.goto(path_of(case))
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Fjord Bank")
    assert violations(phone) == []
    assert has_no_sideways_scroll(phone)
    camera = phone.locator("input.camera").first
    assert camera.get_attribute("capture") == "environment"
    expect(phone.locator("label.camera").first).to_be_visible()
    phone.locator("#id_incorporation_documents").set_input_files(NAMES)
    expect(phone.locator("#part-incorporation_documents")).to_contain_text("deed.pdf")
    with phone.expect_response("**/draft/?part=text"):
        phone.get_by_label("Message (optional)").fill("The letter follows.")
    expect(phone.locator("#saved")).to_contain_text("Saved at")
    # The tab is closed, and the link opened again.
    context = phone.context
    phone.close()
    again = context.new_page()
    again.on("console", lambda text: complaints.append(text.text))
    again.goto(path_of(case))
    expect(again.locator("#part-incorporation_documents")).to_contain_text("deed.pdf")
    expect(again.locator("#part-ein_documents")).to_contain_text("not sent yet")
    expect(again.get_by_label("Message (optional)")).to_have_value(
        "The letter follows."
    )
    assert violations(again) == []
    assert has_no_sideways_scroll(again)
    again.get_by_role("button", name="Send", exact=True).click()
    expect(again.locator("#stopped")).to_contain_text("Not sent yet: EIN letter.")
    assert violations(again) == []
    # A press within half a second would be the second tap of a double tap, which agrees to nothing.
    again.wait_for_timeout(600)
    again.get_by_role("button", name="Send", exact=True).click()
    expect(again.get_by_role("heading", level=1)).to_contain_text("has arrived")
    assert violations(again) == []
    assert case.documents.get().file_name == "deed.pdf"
    assert not DraftFile.objects.exists()
    assert complaints == []


def test_no_request_of_the_browser_has_the_key_in_its_address(phone, case):
    addresses: list[str] = []
    headers: list[str] = []

    def note(request: Request) -> None:
        addresses.append(request.url)
        headers.append(request.headers.get("referer", ""))

    phone.on("request", note)
    path = path_of(case)
    signature = path.partition("#")[2].partition(".")[0]
    phone.goto(path)
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Fjord Bank")
    number = case.requests.get().pk
    expect(phone).to_have_url(re.compile(rf"/requests/{number}/$"))
    phone.locator("#id_ein_documents").set_input_files(NAMES)
    expect(phone.locator("#part-ein_documents")).to_contain_text("deed.pdf")
    assert any(address.endswith("/requests/open/") for address in addresses)
    for text in (*addresses, *headers):
        # A browser's own tools show the part behind the "#", which it does not send.
        assert signature not in text.partition("#")[0]
    # Nor does the way back lead to it.
    phone.go_back()
    assert signature not in phone.url


def test_two_links_are_open_in_one_browser(phone, case):
    first = case.requests.get()
    other = information_requests.create(
        case, actor=first.made_by, message="Another.", kinds=["ein_documents"]
    )
    second = phone.context.new_page()
    phone.goto(path_and_key(information_requests.address(first)))
    second.goto(path_and_key(information_requests.address(other)))
    for page, words in ((phone, "Of the first."), (second, "Of the second.")):
        with page.expect_response("**/draft/?part=text"):
            page.get_by_label("Message (optional)").fill(words)
    for page, words in ((phone, "Of the first."), (second, "Of the second.")):
        page.reload()
        expect(page.get_by_label("Message (optional)")).to_have_value(words)


def test_a_link_in_a_tab_that_waits_for_one_opens(phone, case):
    phone.goto("/requests/open/")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Open your link")
    assert violations(phone) == []
    assert has_no_sideways_scroll(phone)
    phone.goto(path_of(case))
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Fjord Bank")


def test_without_a_script_the_link_is_pasted(browser, live_server, case):
    context = browser.new_context(
        base_url=live_server.url,
        java_script_enabled=False,
        viewport={"width": 390, "height": 844},
    )
    page = context.new_page()
    page.goto(path_of(case))
    page.get_by_label("Your link").fill(
        information_requests.address(case.requests.get())
    )
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Fjord Bank")
    page.locator("#id_ein_documents").set_input_files(NAMES)
    page.get_by_role("button", name="Save, and go on later").click()
    expect(page.locator("#part-ein_documents")).to_contain_text("deed.pdf")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("has arrived")
    context.close()


def test_a_link_of_an_earlier_version_opens_by_itself(phone, case):
    token = links.REQUEST.path_signer.sign(str(case.requests.get().pk))
    phone.goto(f"/requests/{token}/")
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Fjord Bank needs")
    assert token not in phone.url


def test_a_file_that_cannot_be_taken_is_told_before_it_is_sent(phone, case):
    phone.goto(path_of(case))
    wrong = {"name": "page.html", "mimeType": "text/html", "buffer": b"<html>"}
    phone.locator("#id_ein_documents").set_input_files(wrong)
    expect(phone.locator("#part-ein_documents .hint")).to_contain_text("This is not a")
    assert not DraftFile.objects.exists()


def test_a_file_is_saved_when_the_connection_is_back(phone, case):
    phone.goto(path_of(case))
    phone.context.set_offline(True)
    phone.locator("#id_incorporation_documents").set_input_files(NAMES)
    expect(phone.locator("#saved")).to_contain_text("There is no connection")
    phone.context.set_offline(False)
    part = phone.locator("#part-incorporation_documents")
    expect(part).to_contain_text("deed.pdf")
    expect(phone.locator("#saved")).to_contain_text("Saved at")
    assert DraftFile.objects.count() == 1


def test_a_kept_file_is_removed_by_one_tap(phone, case):
    phone.goto(path_of(case))
    phone.locator("#id_ein_documents").set_input_files(NAMES)
    part = phone.locator("#part-ein_documents")
    expect(part).to_contain_text("deed.pdf")
    # Not check(): it looks at the box again, which has gone with its file.
    part.get_by_label("Remove deed.pdf").click()
    expect(part).not_to_contain_text("deed.pdf")
    expect(part).to_contain_text("not sent yet")


def test_the_page_of_the_organisation_can_be_read_in_both_themes(
    boss, page_events, case
):
    boss.goto("/organisation/")
    expect(boss.locator(".sender-preview")).to_contain_text("Fjord Bank")
    assert violations(boss) == []
    for width in (390, 1440):
        boss.set_viewport_size({"width": width, "height": 900})
        assert has_no_sideways_scroll(boss)
    assert page_events.complaints == []


def test_a_saved_value_does_not_come_back_over_a_newer_one(phone, live_server):
    agent = factories.make_agent(factories.make_connection(is_active=True))
    invitation = invitations.create(agent, actor=someone("analyst"))
    path = path_and_key(links.address(invitation))
    other = phone.context.new_page()

    def fill(page: Page, label: str, value: str) -> None:
        with page.expect_response("**/draft/?part=text"):
            page.get_by_label(label).fill(value)

    phone.goto(path)
    fill(phone, "Business name", "Acorn")
    other.goto(path)
    fill(other, "Business name", "Acorn Ltd")
    fill(phone, "Website", "https://acorn.example")
    other.reload()
    expect(other.get_by_label("Business name")).to_have_value("Acorn Ltd")
    expect(other.get_by_label("Website")).to_have_value("https://acorn.example")


def test_a_text_of_another_device_is_shown_before_it_is_replaced(phone, case):
    other = phone.context.new_page()
    for page in (phone, other):
        page.goto(path_of(case))
    message = "Message (optional)"
    with phone.expect_response("**/draft/?part=text"):
        phone.get_by_label(message).fill("Of the phone.")
    # Two saves of one page in a row are not two devices.
    with phone.expect_response("**/draft/?part=text"):
        phone.get_by_label(message).fill("Of the phone, and more.")
    expect(phone.locator("#saved")).to_contain_text("Saved at")
    assert phone.locator(".field .stopped").count() == 0
    other.get_by_label(message).fill("Of the laptop.")
    note = other.locator(".field .stopped")
    expect(note).to_contain_text("the other device has “Of the phone, and more.”")
    expect(other.locator("#saved")).to_contain_text("Saved at")
    assert violations(other) == []
    assert has_no_sideways_scroll(other)
    other.reload()
    expect(other.get_by_label(message)).to_have_value("Of the laptop.")


def test_a_case_begins_on_a_phone(phone, live_server):
    complaints: list[str] = []
    phone.on("console", lambda text: complaints.append(text.text))
    phone.on("pageerror", lambda error: complaints.append(str(error)))
    agent = factories.make_agent(factories.make_connection(is_active=True))
    invitation = invitations.create(agent, actor=someone("analyst"))
    path = path_and_key(links.address(invitation))
    phone.goto(path)
    expect(phone.get_by_role("heading", level=1)).to_have_text("About your business")
    assert violations(phone) == []
    assert has_no_sideways_scroll(phone)
    with phone.expect_response("**/draft/?part=text"):
        phone.get_by_label("Business name").fill("Acorn Ltd")
    phone.goto(path)
    expect(phone.get_by_label("Business name")).to_have_value("Acorn Ltd")
    phone.get_by_label("Website").fill("ht tp:/")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.locator("#errors")).to_be_focused()
    assert violations(phone) == []
    phone.get_by_label("Website").fill("acorn.example")
    phone.locator("#id_ein_documents").set_input_files(NAMES)
    expect(phone.locator("#part-ein_documents")).to_contain_text("deed.pdf")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("has arrived")
    case = Case.objects.get()
    assert (case.subject, case.documents.get().kind) == ("Acorn Ltd", "ein_documents")
    # The refused form was answered with 422, which a browser notes.
    assert [text for text in complaints if "422" not in text] == []


def test_without_a_connection_nothing_is_lost_and_the_page_stays(phone, case):
    phone.goto(path_of(case))
    phone.locator("#id_incorporation_documents").set_input_files(NAMES)
    expect(phone.locator("#part-incorporation_documents")).to_contain_text("deed.pdf")
    phone.locator("#id_ein_documents").set_input_files(NAMES)
    expect(phone.locator("#part-ein_documents")).to_contain_text("deed.pdf")
    phone.context.set_offline(True)
    phone.get_by_label("Message (optional)").fill("Both letters.")
    expect(phone.locator("#saved")).to_contain_text("There is no connection")
    phone.get_by_role("button", name="Send", exact=True).click()
    # Not the page of the browser, which would take the message with it.
    expect(phone.locator("#stopped")).to_contain_text("Nothing is lost")
    expect(phone.get_by_label("Message (optional)")).to_have_value("Both letters.")
    phone.context.set_offline(False)
    expect(phone.locator("#saved")).to_contain_text("Saved at")
    # Not beside a sentence that there is none.
    expect(phone.locator("#stopped")).to_be_empty()
    phone.reload()
    expect(phone.get_by_label("Message (optional)")).to_have_value("Both letters.")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("has arrived")
    assert case.documents.count() == 2


def test_a_document_that_is_forgotten_is_named_before_the_link_ends(phone, case):
    phone.goto(path_of(case))
    phone.locator("#id_incorporation_documents").set_input_files(NAMES)
    expect(phone.locator("#part-incorporation_documents")).to_contain_text("deed.pdf")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.locator("#stopped")).to_contain_text("Not sent yet: EIN letter.")
    assert not case.documents.exists()
    # Who has no such document sends without it, but not by a double tap.
    phone.wait_for_timeout(600)
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("has arrived")
    assert case.documents.get().kind == "incorporation_documents"


def test_of_several_files_those_that_can_be_taken_are_saved(phone, case):
    phone.goto(path_of(case))
    wrong = {"name": "page.html", "mimeType": "text/html", "buffer": b"<html>"}
    phone.locator("#id_ein_documents").set_input_files([NAMES, wrong])
    part = phone.locator("#part-ein_documents")
    expect(part.locator(".kept-file")).to_contain_text("deed.pdf")
    hint = part.locator(".hint")
    expect(hint).to_contain_text("\u2068page.html\u2069: This is not a")
    # The colour of a fault, and not that of the text around it.
    fault = hint.evaluate("node => getComputedStyle(node).color")
    legend = part.locator("legend").evaluate("node => getComputedStyle(node).color")
    assert fault != legend
    assert DraftFile.objects.get().file_name == "deed.pdf"
    # The refused one is not sent with the form either.
    assert part.locator("#id_ein_documents").evaluate("node => node.files.length") == 0


def test_saving_a_file_leaves_the_focus_where_somebody_writes(phone, case):
    phone.goto(path_of(case))
    phone.context.set_offline(True)
    phone.locator("#id_ein_documents").set_input_files(NAMES)
    part = phone.locator("#part-ein_documents")
    expect(part.locator("legend")).to_contain_text("not saved yet")
    message = phone.get_by_label("Message (optional)")
    message.focus()
    phone.context.set_offline(False)
    expect(part).to_contain_text("deed.pdf")
    expect(message).to_be_focused()


def test_a_request_without_kinds_demands_no_document(phone, case):
    request = case.requests.get()
    other = information_requests.create(
        case, actor=request.made_by, message="What do you sell?", kinds=[]
    )
    phone.goto(path_and_key(information_requests.address(other)))
    expect(phone.locator("main")).to_contain_text("Documents (optional)")
    expect(phone.locator("main")).not_to_contain_text("not sent yet")
    phone.get_by_label("Message (optional)").fill("Lamps.")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("has arrived")


def test_a_phone_knows_what_each_field_of_an_applicant_is(phone, live_server):
    agent = factories.make_agent(
        factories.make_connection(is_active=True), kind=Kind.KYC
    )
    invitation = invitations.create(agent, actor=someone("analyst"))
    phone.goto(path_and_key(links.address(invitation)))
    expected = {
        "First name": "given-name",
        "Last name": "family-name",
        "Date of birth": "bday",
        "E-mail": "email",
        "Phone": "tel",
        "Street and number": "address-line1",
        "Postal code": "postal-code",
    }
    for label, purpose in expected.items():
        field = phone.get_by_label(label)
        expect(field).to_have_attribute("autocomplete", purpose)
    expect(phone.get_by_label("Phone")).to_have_attribute("type", "tel")
    number = phone.get_by_label("Document number")
    expect(number).to_have_attribute("autocapitalize", "characters")
    expect(number).to_have_attribute("spellcheck", "false")
    # A phone enlarges the page when a field with smaller letters gets the focus.
    for field in phone.locator("#answer :is(input[type=text], select)").all():
        size = field.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        assert size >= 16


def test_labels_of_the_form_are_in_the_language_of_the_applicant(browser, live_server):
    agent = factories.make_agent(
        factories.make_connection(is_active=True), kind=Kind.KYC
    )
    invitation = invitations.create(agent, actor=someone("analyst"))
    context = browser.new_context(
        base_url=live_server.url,
        locale="ar",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    page = context.new_page()
    page.goto(path_and_key(links.address(invitation)))
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    # The page of the link is in Arabic, too, and leads to the form.
    expect(page.locator("#answer .fields label").first).to_be_visible()
    labels = page.locator("#answer .fields label").all_inner_texts()
    assert len(labels) > 15
    latin = [label for label in labels if re.search("[A-Za-z]", label)]
    assert latin == []
    # A sentence of the page that begins with a Latin word still starts at the right.
    small = page.locator("p.small", has_text="PDF").first
    bidi = small.evaluate("node => getComputedStyle(node).unicodeBidi")
    assert bidi == "isolate"
    assert violations(page) == []
    context.close()


def test_a_good_file_beside_a_wrong_one_waits_for_the_connection(phone, case):
    phone.goto(path_of(case))
    phone.context.set_offline(True)
    wrong = {"name": "page.html", "mimeType": "text/html", "buffer": b"<html>"}
    phone.locator("#id_ein_documents").set_input_files([NAMES, wrong])
    expect(phone.locator("#saved")).to_contain_text("There is no connection")
    phone.context.set_offline(False)
    part = phone.locator("#part-ein_documents")
    expect(part.locator(".kept-file")).to_contain_text("deed.pdf")
    assert DraftFile.objects.get().file_name == "deed.pdf"


def test_a_double_tap_does_not_send_without_a_document(phone, case):
    phone.goto(path_of(case))
    phone.locator("#id_incorporation_documents").set_input_files(NAMES)
    expect(phone.locator("#part-incorporation_documents")).to_contain_text("deed.pdf")
    phone.get_by_role("button", name="Send", exact=True).dblclick()
    expect(phone.locator("#stopped")).to_contain_text("Not sent yet: EIN letter.")
    assert not case.documents.exists()


def test_two_files_of_one_part_chosen_in_a_row_are_both_shown(phone, case):
    phone.goto(path_of(case))
    phone.evaluate(
        """() => {
          const send = window.fetch;
          window.fetch = async (...request) => {
            await new Promise((done) => setTimeout(done, 300));
            return send(...request);
          };
        }"""
    )
    other = {**NAMES, "name": "letter.pdf", "buffer": PDF + b"%"}
    phone.locator("#id_ein_documents").set_input_files(NAMES)
    phone.locator("#id_ein_documents").set_input_files(other)
    part = phone.locator("#part-ein_documents")
    expect(part.locator(".kept-file")).to_have_count(2)


def test_the_link_of_an_invitation_is_copied(boss, desk, person):
    invitation = invitations.create(desk.agents.first(), actor=person)
    boss.context.grant_permissions(["clipboard-read", "clipboard-write"])
    boss.goto("/invitations/")
    boss.get_by_role("button", name="Copy the link").click()
    expect(boss.locator("#toasts")).to_contain_text("Copied http")
    copied = boss.evaluate("navigator.clipboard.readText()")
    assert copied == links.address(invitation)
