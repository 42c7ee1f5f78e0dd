"""Look-ups: searches that people made in the lists of a service, with the answers."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from compliance.security.data_keys import INSTALLATION
from compliance.security.personal_fields import PersonalJSONField
from reviews.models.cases import Case
from reviews.models.parties.parties import Party
from reviews.models.service import Connection


class LookUp(models.Model):
    """One search in the lists and its answer, as received. Rows are never changed."""

    connection = models.ForeignKey(Connection, models.PROTECT, related_name="look_ups")
    # The party it was made for, and the case in which the person looked at it. May be empty.
    case = models.ForeignKey(
        Case, models.PROTECT, null=True, blank=True, related_name="look_ups"
    )
    party = models.ForeignKey(
        Party, models.PROTECT, null=True, blank=True, related_name="look_ups"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    # The members name, date_of_birth and lists.
    query = PersonalJSONField(default=dict)
    answer = PersonalJSONField(default=dict)
    hit_count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-id"]
        verbose_name = "look-up"

    def __str__(self) -> str:
        return f"Look-up {self.pk}"

    def data_key_id_for_personal(self) -> int:
        if self.case:
            return self.case.data_key_id_for_personal()
        return INSTALLATION
