"""Parties, statements of cases about them, relations between them, and merges.

A party itself has no personal data. Each name, number and relation belongs to the case that
states it, is encrypted with the key of that case, and is erased with it. Statements are never
overwritten: a page computes what it shows from all statements of the cases that the person may
see.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.languages import english
from compliance.security.personal_fields import PersonalTextField
from reviews.models.cases import Case


class Source(models.TextChoices):
    """The origin of a statement about a party."""

    ATTESTED = "attested", _("Attested data of the case")
    ANALYST = "analyst", _("Analyst")
    FILE = "file", _("File of relations")


class Party(models.Model):
    """A person, a company or another kind of party, across all cases."""

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        COMPANY = "company", _("Company")
        TRUST = "trust", _("Trust")
        VESSEL = "vessel", _("Vessel")
        WALLET = "wallet", _("Wallet")
        ACCOUNT = "account", _("Bank account")
        UNKNOWN = "unknown", _("Person or company")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    # After merges: the oldest of the merged parties. The oldest itself has none. Computed from
    # PartyMerge.
    head = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="joined"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "parties"
        indexes = [
            # The list of a kind: some kinds are rare.
            models.Index(
                fields=["kind", "-id"],
                name="reviews_party_of_kind",
                condition=Q(head=None),
            )
        ]

    def __str__(self) -> str:
        return f"Party {self.pk}"

    @property
    def head_id_or_own(self) -> int:
        """The id under which the party is shown: that of the oldest merged one, or its own."""
        return self.head_id or self.pk


class CaseParty(models.Model):
    """A case names a party: in which role, and at which place of its data."""

    class Role(models.TextChoices):
        SUBJECT = "subject", _("Subject")
        OWNER = "owner", _("Owner")
        CONTROLLER = "controller", _("Controller")
        DIRECTOR = "director", _("Director")
        SIGNATORY = "signatory", _("Signatory")
        RELATIVE = "relative", _("Relative")
        ASSOCIATE = "associate", _("Associate")
        OWNED = "owned", _("Owned by another party")

    case = models.ForeignKey(Case, models.PROTECT, related_name="case_parties")
    party = models.ForeignKey(Party, models.PROTECT, related_name="case_parties")
    role = models.CharField(max_length=10, choices=Role.choices)
    # For example "subject", "owners/0", "owners/0/owners/1", "added/3": no personal data.
    place = models.CharField(max_length=160)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        verbose_name = "party of a case"
        verbose_name_plural = "parties of cases"
        constraints = [
            models.UniqueConstraint(
                fields=["case", "place"], name="one_party_at_a_place"
            )
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.get_role_display()} of case {self.case_id}"

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id_for_personal()


class PartyStatement(models.Model):
    """A name, a number or a fact that a case states about a party."""

    class Kind(models.TextChoices):
        NAME = "name", _("Name")
        IDENTIFIER = "identifier", _("Identifier")
        FACT = "fact", _("Fact")

    case_party = models.ForeignKey(CaseParty, models.PROTECT, related_name="statements")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    # Which name, number or fact it is: a word of reviews.parties.labels.
    label = models.CharField(max_length=40)
    value = PersonalTextField(max_length=400)
    issuer = models.CharField(
        max_length=2, blank=True, help_text="The country that issued a number."
    )
    # An HMAC of the value, to find the same name or number in other cases.
    digest = models.CharField(max_length=64, blank=True)
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)
    source = models.CharField(max_length=10, choices=Source.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    learnt_at = models.DateTimeField(auto_now_add=True)
    # Set when the case states another value instead.
    replaced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name = "statement of a party"
        verbose_name_plural = "statements of parties"
        indexes = [
            models.Index(
                fields=["digest"],
                name="reviews_party_same",
                condition=~Q(digest=""),
            )
        ]

    def __str__(self) -> str:
        return f"{self.label} of {self.case_party_id}"

    def data_key_id_for_personal(self) -> int:
        return self.case_party.data_key_id_for_personal()


class PartyRelation(models.Model):
    """A party owns, controls, directs or is close to another one, as one case states it.

    `holder` has the relation to `held`, for example the owner to the company. Both are parties
    of the same case. Shares are percentages from 0 to 100; both ends empty: unknown.
    """

    class Kind(models.TextChoices):
        OWNER = "owner", _("Owner")
        CONTROLLER = "controller", _("Controller")
        DIRECTOR = "director", _("Director")
        SIGNATORY = "signatory", _("Signatory")
        RELATIVE = "relative", _("Relative")
        ASSOCIATE = "associate", _("Associate")

    holder = models.ForeignKey(CaseParty, models.PROTECT, related_name="holds")
    held = models.ForeignKey(CaseParty, models.PROTECT, related_name="held_by")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    share_min = models.DecimalField(
        max_digits=9, decimal_places=6, null=True, blank=True
    )
    share_max = models.DecimalField(
        max_digits=9, decimal_places=6, null=True, blank=True
    )
    votes_min = models.DecimalField(
        max_digits=9, decimal_places=6, null=True, blank=True
    )
    votes_max = models.DecimalField(
        max_digits=9, decimal_places=6, null=True, blank=True
    )
    detail = PersonalTextField(
        max_length=400, blank=True, default="", help_text="In words, as it was stated."
    )
    since = models.DateField(null=True, blank=True)
    until = models.DateField(null=True, blank=True)
    source = models.CharField(max_length=10, choices=Source.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    learnt_at = models.DateTimeField(auto_now_add=True)
    replaced_at = models.DateTimeField(null=True, blank=True)
    # When a person last said which party it is about, after a merge was undone.
    placed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name = "relation of parties"
        verbose_name_plural = "relations of parties"
        constraints = [
            models.CheckConstraint(
                condition=~Q(holder=F("held")), name="relation_of_two"
            ),
            models.CheckConstraint(
                condition=Q(share_min__isnull=True)
                | Q(
                    share_min__gte=0, share_max__gte=F("share_min"), share_max__lte=100
                ),
                name="share_of_a_whole",
            ),
            models.CheckConstraint(
                condition=Q(votes_min__isnull=True)
                | Q(
                    votes_min__gte=0, votes_max__gte=F("votes_min"), votes_max__lte=100
                ),
                name="votes_of_a_whole",
            ),
        ]

    @english()
    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.holder_id} of {self.held_id}"

    def data_key_id_for_personal(self) -> int:
        return self.holder.data_key_id_for_personal()


class PartyMerge(models.Model):
    """A person judged two parties to be the same. If it is undone, they are separate again."""

    first = models.ForeignKey(Party, models.PROTECT, related_name="+")
    second = models.ForeignKey(Party, models.PROTECT, related_name="+")
    reason = models.TextField(help_text="Why, without a name.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_reason = models.TextField(blank=True, help_text="Why, without a name.")

    class Meta:
        ordering = ["-id"]
        verbose_name = "merge of parties"
        verbose_name_plural = "merges of parties"
        constraints = [
            models.CheckConstraint(
                condition=Q(first__lt=F("second")), name="merge_of_two"
            ),
            models.UniqueConstraint(
                fields=["first", "second"],
                condition=Q(undone_at__isnull=True),
                name="merged_once",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="merge_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"Parties {self.first_id} and {self.second_id}"
