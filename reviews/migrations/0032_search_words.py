import django.db.models.deletion
from django.db import migrations, models

from reviews.models.search.forms import with_forms, searchable_words

CHUNK = 2_000


def add_column(apps, schema_editor):
    """Django would make SQLite's table anew, and its triggers, which keep the index, would go."""
    no = "false" if schema_editor.connection.vendor == "postgresql" else "0"
    schema_editor.execute(
        "ALTER TABLE reviews_searchtext"
        f" ADD COLUMN is_reading bool DEFAULT {no} NOT NULL"
    )


def remove_column(apps, schema_editor):
    schema_editor.execute("ALTER TABLE reviews_searchtext DROP COLUMN is_reading")


def write_forms(apps, schema_editor):
    """Write what earlier versions did not keep: Latin spellings, and the words of names."""
    SearchText = apps.get_model("reviews", "SearchText")
    SearchWord = apps.get_model("reviews", "SearchWord")
    last = 0
    while True:
        rows = list(SearchText.objects.filter(pk__gt=last).order_by("pk")[:CHUNK])
        if not rows:
            return
        last = rows[-1].pk
        changed = []
        words = []
        for row in rows:
            text = with_forms(row.text)
            if text != row.text:
                row.text = text
                changed.append(row)
            if row.page_id is None:
                # The first line is the number of the case.
                names = text.partition("\n")[2]
                for word in searchable_words(names):
                    words.append(SearchWord(text_id=row.pk, word=word))
        SearchText.objects.bulk_update(changed, ["text"], batch_size=200)
        SearchWord.objects.bulk_create(words, batch_size=2_000)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0031_hit_labels")]

    operations = [
        migrations.RemoveConstraint(
            model_name="searchtext", name="one_search_text_per_case"
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add_column, remove_column)],
            state_operations=[
                migrations.AddField(
                    model_name="searchtext",
                    name="is_reading",
                    field=models.BooleanField(
                        db_default=False, help_text="Read from documents by a service."
                    ),
                )
            ],
        ),
        migrations.AddConstraint(
            model_name="searchtext",
            constraint=models.UniqueConstraint(
                condition=models.Q(("page__isnull", True)),
                fields=("case", "is_reading"),
                name="one_search_text_per_case",
            ),
        ),
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("word", models.CharField(db_index=True, max_length=24)),
                (
                    "text",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="words",
                        to="reviews.searchtext",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("text", "word"), name="search_word_once"
                    )
                ]
            },
        ),
        migrations.AlterField(
            model_name="notification",
            name="kind",
            field=models.CharField(
                choices=[
                    ("mention", "mentioned you in a note"),
                    ("assigned", "assigned the case to you"),
                    ("escalated", "escalated the case"),
                    ("second", "asks for a second approval"),
                    ("sent_back", "sent your decision back"),
                    ("answer", "answered the request"),
                    ("alarm", "came after your decision"),
                    ("due_soon", "is due within the hour"),
                    ("overdue", "is overdue"),
                    ("look", "would have decided otherwise"),
                    ("report", "asks you to approve a report"),
                    ("report_back", "sent your report back"),
                    ("report_ok", "approved your report: it is to be filed"),
                ],
                max_length=12,
            ),
        ),
        migrations.RunPython(write_forms, migrations.RunPython.noop),
    ]
