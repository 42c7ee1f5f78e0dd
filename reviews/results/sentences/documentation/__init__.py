"""The documentation of indicators of fraud, as the checks send it with each finding, to be translated.

A paragraph may begin with a heading and a colon. Nothing here asks a service or runs a query.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from reviews.results.sentences.documentation import content, file, page

HEADINGS = (_("Found"), _("Innocent explanations"), _("Does not prove"))
PARAGRAPHS = (*HEADINGS, *file.PARAGRAPHS, *page.PARAGRAPHS, *content.PARAGRAPHS)
