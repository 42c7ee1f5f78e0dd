"""Results of checks that do not apply said `passed: false` to those who know nothing else."""

from django.db import migrations

# One statement each: there may be millions of rows, and nothing of them is needed here. Without
# its text, a result is sent from the JSON column.
POSTGRESQL = """UPDATE agenthub_checkrun
SET result = jsonb_set(result, '{passed}', 'null'), result_text = NULL
WHERE result ->> 'verdict' = 'not_applicable' AND result -> 'passed' = 'false'::jsonb"""
SQLITE = """UPDATE agenthub_checkrun
SET result = json_set(result, '$.passed', NULL), result_text = NULL
WHERE json_extract(result, '$.verdict') = 'not_applicable'
AND json_type(result, '$.passed') = 'false'"""


def without_a_failure(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    schema_editor.execute(SQLITE if is_sqlite else POSTGRESQL)


class Migration(migrations.Migration):
    dependencies = [("agenthub", "0016_keys_of_subjects")]

    operations = [migrations.RunPython(without_a_failure, migrations.RunPython.noop)]
