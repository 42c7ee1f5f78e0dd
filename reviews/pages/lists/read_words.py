"""What a read was of, in words: its item is the key that the trail of reads keeps."""

from __future__ import annotations

from django.apps import apps
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# The lists of reviews.access.reads, by their names there.
LISTS = {
    "queue": gettext_lazy("Queue"),
    "dashboard": gettext_lazy("Dashboard"),
    "inbox": gettext_lazy("Inbox"),
    "documents": gettext_lazy("Documents"),
    "jobs": gettext_lazy("Jobs"),
    "parties": gettext_lazy("Parties"),
    "look-ups": gettext_lazy("Look-up"),
    "reads": gettext_lazy("Who read what"),
    "privacy": gettext_lazy("Privacy"),
    "second-looks": gettext_lazy("Second looks"),
    "suspicions": gettext_lazy("Suspicious activity reports"),
    "invitations": gettext_lazy("Invitations"),
    "bulk-approvals": gettext_lazy("Bulk approvals"),
    "batches": gettext_lazy("Batches"),
    "risk": gettext_lazy("Risk policy"),
    "decision-policy": gettext_lazy("Decision policy"),
    "screening-quality": gettext_lazy("Screening quality"),
    "period-report": gettext_lazy("Period report"),
    "hub/jobs": gettext_lazy("Jobs of the hub"),
    "hub/deliveries": gettext_lazy("Deliveries of the hub"),
}
_SEARCHED = "/search"


def in_words(item: str) -> str:
    """A list, a row of the administration or of the hub, in words. Other items are ids of rows,
    which stay as they are.
    """
    if item.startswith("list/"):
        return _list(item.removeprefix("list/"))
    if item.startswith("admin/"):
        return _row(item.removeprefix("admin/"))
    for place in ("hub/jobs", "hub/deliveries"):
        if item.startswith(f"{place}/"):
            return f"{LISTS[place]}: {item.removeprefix(place + '/')}"
    return item


def _list(name: str) -> str:
    is_search = name.endswith(_SEARCHED)
    name = name.removesuffix(_SEARCHED)
    if name.startswith("admin/"):
        words = _table(name.removeprefix("admin/"))
    else:
        words = str(LISTS.get(name, name))
    if is_search:
        return _("List, searched: %(name)s") % {"name": words}
    return _("List: %(name)s") % {"name": words}


def _row(item: str) -> str:
    table, _slash, key = item.partition("/")
    return f"{_table(table)}: {key}"


def _table(name: str) -> str:
    """A table of the administration by its label, such as "reviews_case"."""
    label, _underscore, model = name.partition("_")
    try:
        words = str(apps.get_model(label, model)._meta.verbose_name_plural)
    except LookupError:
        # A table of an earlier version.
        words = name
    return _("Administration, %(name)s") % {"name": words}
