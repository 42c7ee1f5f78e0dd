"""Accounts have shares, batches give way, and deliveries take turns by account."""

from __future__ import annotations

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


def give_accounts(apps, schema_editor):
    """Deliveries that are still to be sent, or may be sent again, get the account of their job."""
    Delivery = apps.get_model("agenthub", "Delivery")
    AgentJob = apps.get_model("agenthub", "AgentJob")
    jobs = AgentJob.objects.filter(pk=models.OuterRef("job_id"))
    rows = Delivery.objects.filter(status__in=["due", "dead"], account=None)
    rows.update(account_id=models.Subquery(jobs.values("account_id")))


class Migration(migrations.Migration):
    dependencies = [
        ("agenthub", "0004_encrypt"),
        ("compliance", "0002_data_keys"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="agentjob",
            name="agenthub_job_account_due",
        ),
        migrations.AddField(
            model_name="account",
            name="share",
            field=models.PositiveSmallIntegerField(
                db_default=1,
                default=1,
                help_text="How often it has its turn while others wait, too: 2 is twice as often as 1.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(100),
                ],
            ),
        ),
        migrations.AddField(
            model_name="agentjob",
            name="is_bulk",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="delivery",
            name="account",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="deliveries",
                to="agenthub.account",
            ),
        ),
        migrations.AddField(
            model_name="delivery",
            name="claimed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name="agentjob",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)),
                fields=["account", "reads_documents", "is_bulk", "due_at"],
                name="agenthub_job_turn",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)),
                fields=["account", "due_at"],
                name="agenthub_delivery_turn",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("leased_until__isnull", False)),
                fields=["account"],
                name="agenthub_delivery_leased",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("claimed_at__isnull", False)),
                fields=["account", "claimed_at"],
                name="agenthub_delivery_claimed",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(("share__gte", 1)), name="share_from_one"
            ),
        ),
        # Last: PostgreSQL changes no table that has rows with unchecked keys.
        migrations.RunPython(give_accounts, migrations.RunPython.noop),
    ]
