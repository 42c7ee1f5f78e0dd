"""The rows that a search reads.

They are not encrypted, and an erasure deletes them (decision 29).
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from reviews.models.search import forms


class SearchText(models.Model):
    """A text that a search covers.

    It holds the names and numbers of a case, or the text of one page, or what a service read
    from the documents of a case.

    The text is in lower case, with the Latin spelling of words in other scripts. Indexes come
    with migrations: on PostgreSQL a trigram index on `text`, on SQLite an FTS5 table of
    trigrams that triggers update.
    """

    case = models.ForeignKey(
        "reviews.Case", models.CASCADE, related_name="search_texts"
    )
    page = models.OneToOneField("reviews.Page", models.CASCADE, null=True)
    # For scans and photographs this is the only text that the desk has.
    is_reading = models.BooleanField(
        db_default=False, help_text="Read from documents by a service."
    )
    text = models.TextField()
    # Searched for one or two letters, which are shorter than a trigram. Empty in rows of pages.
    reference = models.CharField(max_length=40, db_index=True, blank=True)
    name = models.CharField(max_length=40, db_index=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["case", "is_reading"],
                condition=Q(page__isnull=True),
                name="one_search_text_per_case",
            )
        ]

    def __str__(self) -> str:
        return self.text[:80]

    def keep_words(self, names: str, *, is_new: bool = False) -> None:
        """Store the words of `names` that are to be found with one wrong letter.

        Only the differences are written. `is_new`: the row has no words yet, so none are read.
        """
        all_words = forms.searchable_words(names)
        present: set[str] = set()
        if not is_new:
            present.update(self.words.values_list("word", flat=True))
        gone = present.difference(all_words)
        if gone:
            self.words.filter(word__in=gone).delete()
        rows = [SearchWord(text=self, word=word) for word in all_words]
        SearchWord.objects.bulk_create([row for row in rows if row.word not in present])


class SearchWord(models.Model):
    """A word of a name in Latin letters. A search for a misspelling of it finds it here."""

    # No index of its own: that of the unique constraint starts with this column.
    text = models.ForeignKey(
        SearchText, models.CASCADE, related_name="words", db_index=False
    )
    word = models.CharField(max_length=forms.LONGEST_TO_MISSPELL, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["text", "word"], name="search_word_once")
        ]

    def __str__(self) -> str:
        return self.word
