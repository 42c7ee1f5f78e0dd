"""What a search of cases reads: texts, the words of names, and the forms in which words are compared.

Rooms write it and reviews.queue.search reads it. It never reads a file or asks a service.
"""

from __future__ import annotations

from reviews.models.search.texts import SearchText, SearchWord

__all__ = ["SearchText", "SearchWord"]
