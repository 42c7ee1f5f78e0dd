"""Counts the failed fetches of a document, apart from the claims of its row."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0050_bound_pages"),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="tries",
            field=models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text="Failed fetches of its file.",
            ),
        ),
    ]
