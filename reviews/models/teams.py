"""Who works on which cases."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Team(models.Model):
    """People who share connections. A connection of no team is everybody's."""

    name = models.CharField(max_length=80, unique=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="teams")
    connections = models.ManyToManyField("reviews.Connection", blank=True, related_name="teams")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
