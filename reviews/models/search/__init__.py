"""Models of the search for cases: texts, words of names, and the forms for comparing words.

Other packages write them, and reviews.queue.search reads them. They never read a file or call a
service.
"""

from __future__ import annotations

from reviews.models.search.texts import SearchText, SearchWord

__all__ = ["SearchText", "SearchWord"]
