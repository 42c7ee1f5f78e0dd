"""The organisation as applicants see it: read and change it, draw its logo."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.db import clock
from compliance.work import notify
from compliance.work.isolation import NOT_PLAIN, IsolationError, stream
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Organisation
from reviews.models.applicants.organisation import ONLY
from reviews.organisation import colours

QUEUE = "reviews.tasks.draw_logo"
# Shown to applicants if no name was entered.
UNNAMED = gettext_lazy("The compliance team")
MOST_BYTES = 1 << 20  # size of an uploaded logo
LARGEST_LOGO = 300 << 10  # size of the image that the desk makes of it
MOST_PIXELS = 16_383  # side of an image; the limit of WebP


def current() -> Organisation:
    """The organisation. An unsaved row without a name if nothing was entered yet."""
    return Organisation.objects.defer("upload").filter(pk=ONLY).first() or Organisation(
        due_at=None
    )


def name_of(organisation: Organisation) -> str:
    return organisation.name or str(UNNAMED)


def begin(*, actor: User, name: str) -> None:
    """Enter the name that applicants see. Raises PermissionDenied."""
    change(actor=actor, name=name, contact="", colour="", colour_dark="")


@transaction.atomic
def change(
    *,
    actor: User,
    name: str,
    contact: str,
    colour: str,
    colour_dark: str,
    logo: bytes | None = None,
    remind_days: int = 0,
    remind_most: int = 2,
) -> Organisation:
    """Change what applicants see. `logo`: the uploaded image, b"" to remove it, None to leave it
    as it is.

    The colours are "#rrggbb" or "". `remind_days`: days between reminders, 0 for none.
    `remind_most`: how many reminders at most. Raises PermissionDenied.
    """
    roles.require(actor, roles.ORGANISE)
    Organisation.objects.get_or_create(pk=ONLY, defaults={"due_at": None})
    row = Organisation.objects.select_for_update().get(pk=ONLY)
    row.name = name
    row.contact = contact
    row.colour = colour
    row.colour_dark = colour_dark
    row.remind_days = remind_days
    row.remind_most = remind_most
    if logo is not None:
        # The upload is drawn in the background; until then the old logo stays.
        row.upload = logo
        row.logo_fault = ""
        row.due_at = None
        row.leased_until = None
        if logo:
            row.due_at = clock.now()
            notify.after_commit(QUEUE)
        else:
            row.logo = b""
            row.logo_width = row.logo_height = 0
    # A worker that still draws the previous logo loses its claim and cannot write.
    row.claim_count += 1
    row.save()
    data = data_of_line(row)
    if logo is not None:
        data["logo"] = "changed" if logo else "removed"
    trail.record(None, "organisation_changed", data, user=actor)
    return row


def data_of_line(row: Organisation) -> dict[str, object]:
    """What the line of the audit trail says of the organisation."""
    logo = bytes(row.logo)
    return {
        "name": row.name,
        "contact": row.contact,
        "colours": [row.colour, row.colour_dark],
        "reminders": [row.remind_days, row.remind_most],
        "logo_sha256": hashlib.sha256(logo).hexdigest() if logo else "",
    }


def draw_logo(row: Organisation) -> None:
    """Draw the uploaded image in an isolated process, as pages of documents are drawn."""
    content = bytes(row.upload)
    if not content:
        row.complete()
        return
    try:
        width, height, image = _drawn(content, row)
    except IsolationError:
        words = _(
            "The picture could not be drawn. Save it as PNG or JPEG and choose it again."
        )
        row.complete(upload=b"", logo_fault=words)
        return
    with transaction.atomic():
        is_written = row.complete(
            upload=b"",
            logo=image,
            logo_width=width,
            logo_height=height,
            logo_fault="",
            updated_at=now(),
        )
        if is_written:
            # The line of the person was written before the logo was drawn.
            data = {**data_of_line(current()), "logo": "drawn"}
            trail.record(None, "organisation_changed", data)


def _drawn(content: bytes, row: Organisation) -> tuple[int, int, bytes]:
    """Width and height in pixels, and the image as WebP. Raises IsolationError."""
    items = stream(
        "papers.pages:draw",
        {"content": content},
        seconds=settings.DOCUMENT_SECONDS,
        tick=lambda: row.heartbeat(settings.LEASE),
    )
    for item in items:
        # A malicious image may control the child process, so its answer is validated.
        match item:
            case {"width": int(width), "height": int(height), "image": bytes(image)}:
                is_in_limits = 0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS
                is_webp = image[:4] == b"RIFF" and image[8:12] == b"WEBP"
                if is_in_limits and is_webp and len(image) <= LARGEST_LOGO:
                    return width, height, image
        # Only the first picture counts.
        break
    raise IsolationError(NOT_PLAIN)


def stylesheet(organisation: Organisation) -> str:
    """The colours as CSS for the pages of applicants; "" if none were chosen."""
    light = organisation.colour
    if not colours.is_colour(light):
        return ""
    dark = organisation.colour_dark
    if not colours.is_colour(dark):
        dark = colours.for_dark_theme(light)
    return (
        f".applicant {{ --acc: light-dark({light}, {dark});"
        " --acc-ink: light-dark(#fff, #10131a);"
        f" --acc-line: light-dark({light}, {dark}); }}\n"
    )
