"""The texts of scripts, which a page that is not English brings along for static/js/texts.js.

A block of JSON, not Django's catalogue of scripts: no page has a script of its own, and one more
request for forty texts would be slower.
"""

from __future__ import annotations

from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_noop

from compliance.languages import ENGLISH

# A test compares them with the scripts.
TEXTS = (
    gettext_noop("Cancel"),
    gettext_noop("Confirm: the check is reviewed, its result stays"),
    gettext_noop("Copied {reference}"),
    gettext_noop("Dismiss the finding"),
    gettext_noop("Go to an open finding first: f."),
    gettext_noop("Kind of {name}"),
    gettext_noop("Live"),
    gettext_noop("Look at the case"),
    gettext_noop("Mark as reviewed"),
    gettext_noop("Next check"),
    gettext_noop("Next document"),
    gettext_noop("Next open finding"),
    gettext_noop("No finding is open."),
    gettext_noop("Not connected: this page may be old"),
    gettext_noop("Previous check"),
    gettext_noop("Previous document"),
    gettext_noop("Remove {name}"),
    gettext_noop("Saved at {time}."),
    gettext_noop("Saving…"),
    gettext_noop("Select downwards"),
    gettext_noop("Select the case"),
    gettext_noop("Select upwards"),
    gettext_noop("Show all evidence alike"),
    gettext_noop("Take the case"),
    gettext_noop("This check is not open."),
    gettext_noop("This could not be saved now. It is sent with “Send”."),
    gettext_noop("This file cannot be read."),
    gettext_noop("This file is empty."),
    gettext_noop("This file is larger than {size}."),
    gettext_noop("This is not a {types} file."),
    gettext_noop("Write a note"),
    gettext_noop("{count} added, {total} in all"),
    gettext_noop("{count} selected"),
    gettext_noop("{name} removed"),
    gettext_noop("{number} of {count}"),
)


def block() -> SafeString:
    """The block for the language of this page; nothing where it is English."""
    if get_language() == ENGLISH:
        return SafeString("")
    texts = {text: gettext(text) for text in TEXTS}
    return json_script(texts, "script-texts")
