"""Texts of the scripts, which pages in other languages than English embed for static/js/texts.js.

They are a JSON block instead of Django's JavaScript catalogue: pages have no inline scripts, and
one more request for forty texts would be slower.
"""

from __future__ import annotations

from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from compliance.languages import ENGLISH, english

# A test compares this list with the scripts.
TEXTS = (
    _("Cancel"),
    _("Confirm: the check is reviewed, its result stays"),
    _("Copied {reference}"),
    _("Dismiss the finding"),
    _("Choose at least one reason: press its digit."),
    _("Choose a candidate of the field that has the focus"),
    _("The document states none"),
    _("Go to a field first: j."),
    _("Go to an open finding first: f."),
    _("Write what the document states"),
    _("Go to the checklist"),
    _("Kind of {name}"),
    _("Live"),
    _("Look at the case"),
    _("Mark as reviewed"),
    _("Next check"),
    _("Next document"),
    _("Next open finding"),
    _("No finding is open."),
    _(
        "Not sent yet: {names}. Choose a file, or press “Send” again to send without it."
    ),
    _(
        "There is no connection. Nothing is lost: stay on this page, and send it when there is one."
    ),
    _(
        "There is no connection. Stay on this page: it is saved as soon as there is one."
    ),
    _("not saved yet"),
    _("Not connected: this page may be old"),
    _("Previous check"),
    _("Previous document"),
    _("Remove {name}"),
    _("Saved at {time}."),
    _("Saving…"),
    _("Select downwards"),
    _("Select the case"),
    _("Select upwards"),
    _("Show all evidence alike"),
    _("Take the case"),
    _("This check is not open."),
    _("This check is open and has no finding to go to: confirm it with ⇧ Y."),
    _("This page has ended. Open the link of the e-mail again."),
    _("This could not be saved now. It is sent with “Send”."),
    _("The server does not answer. Try again."),
    _("This could not be copied: {reference}"),
    _("This did not work. Load the page again."),
    _("This file cannot be read."),
    _("This file is empty."),
    _("This file is larger than {size}."),
    _("This is not a {types} file."),
    _("Write a note"),
    _("You can no longer decide this case: {reason}"),
    _("Your login has ended. Copy what you typed here, and log in again."),
    _("{count} added, {total} in all"),
    _("Cases: {count}"),
    _("{count} selected"),
    _("{name} removed"),
    _("{number} of {count}"),
)


def english_texts() -> list[str]:
    """The keys by which scripts look the texts up."""
    with english():
        return [str(text) for text in TEXTS]


def block() -> SafeString:
    """The JSON block for the language of this page; empty for English."""
    if get_language() == ENGLISH:
        return SafeString("")
    texts = dict(zip(english_texts(), map(str, TEXTS), strict=True))
    return json_script(texts, "script-texts")
