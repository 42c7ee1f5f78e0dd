"""The sentences of results in the language of the reader. What is stored and sent stays English.

`pieces` and `in_words` take a text as a service wrote it. The catalogue of sentences is in the modules
here, a tuple of patterns each; `matching` compares. Nothing here asks a service or runs a query.
"""

from __future__ import annotations

from reviews.results.sentences.display import Piece, in_words, labelled, pieces

__all__ = ["Piece", "in_words", "labelled", "pieces"]
