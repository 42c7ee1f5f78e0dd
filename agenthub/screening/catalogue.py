"""Well-known lists by name, and access to a list's file by path or URL."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from agenthub.models.lists import ListSource
from agenthub.screening.formats import FORMATS, ListError
from compliance.http import outbound

# Limits of a download: seconds, bytes, and requests including redirects.
FETCH_SECONDS, FETCH_BYTES, MOST_HOPS = 300.0, 512 << 20, 4

_OFAC = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports"
# Slug → (title, format, URL; empty: the operator must give one).
WELL_KNOWN: dict[str, tuple[str, str, str]] = {
    "ofac_sdn": ("OFAC SDN", "ofac_sdn_xml", f"{_OFAC}/SDN.XML"),
    "ofac_consolidated": (
        "OFAC consolidated (non-SDN)", "ofac_sdn_xml", f"{_OFAC}/CONSOLIDATED.XML"
    ),
    "un": (
        "UN Security Council consolidated", "un_xml",
        "https://scsanctions.un.org/resources/xml/en/consolidated.xml",
    ),
    "eu_fsf": ("EU financial sanctions", "eu_fsf_xml", ""),
    "uk": (
        "UK sanctions list", "uk_sanctions_list_csv",
        "https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv",
    ),
}  # fmt: skip


def source(
    slug: str,
    *,
    format: str | None = None,  # noqa: A002
    title: str | None = None,
    topics: Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    max_age_days: int | None = None,
    canaries: Sequence[str] | None = None,
) -> ListSource:
    """Create or change the list with this slug. Raises ListError if it has no format.

    A value of None leaves the stored value unchanged.
    """
    row = ListSource.objects.filter(slug=slug).first()
    if row is None:
        default_title, default_format, url = WELL_KNOWN.get(slug, (slug, "", ""))
        row = ListSource(
            slug=slug,
            title=default_title,
            format=default_format,
            url=url,
            topics=["sanction"],
        )
    values = {
        "format": format,
        "title": title,
        "topics": topics,
        "columns": columns,
        "max_age_days": max_age_days,
        "canaries": canaries,
    }
    is_changed = False
    for name, value in values.items():
        if value is not None:
            setattr(row, name, value)
            is_changed = True
    if not row.format:
        raise ListError(f"Say which format {slug} has: {', '.join(sorted(FORMATS))}.")
    if is_changed or row.pk is None:
        row.save()
    return row


@contextlib.contextmanager
def file_of(place: str) -> Iterator[Path]:
    """The local file at `place`: a path, or an http(s) URL to download. Raises ListError."""
    url = urlsplit(place)
    if url.scheme not in {"http", "https"}:
        yield Path(place)
        return
    content = _fetch(place)
    with tempfile.TemporaryDirectory() as folder:
        # Keep the file's name: its ending identifies the kind of archive.
        path = Path(folder) / (Path(url.path).name or "list")
        path.write_bytes(content)
        yield path


def _fetch(url: str) -> bytes:
    """Download a file. Publishers redirect to it, so each redirect is a new, checked request."""
    for _ in range(MOST_HOPS):
        try:
            response = outbound.request(
                "GET",
                url,
                headers={"User-Agent": outbound.HUB_USER_AGENT},
                timeout=FETCH_SECONDS,
                max_bytes=FETCH_BYTES,
            )
        except outbound.OutboundError as exc:
            raise ListError(f"The list could not be fetched: {exc}") from exc
        if response.status_code == 200:
            return response.content
        next_url = outbound.redirect_url(url, response)
        is_redirect = (
            response.status_code in {301, 302, 303, 307, 308} and next_url != url
        )
        # Never follow a redirect from https to http.
        is_safe = urlsplit(next_url).scheme == "https" or urlsplit(url).scheme == "http"
        if not is_redirect or not is_safe:
            reason = f"the server answered {response.status_code}"
            raise ListError(f"The list could not be fetched: {reason}.")
        url = next_url
    raise ListError("The list could not be fetched: it is sent on too often.")
