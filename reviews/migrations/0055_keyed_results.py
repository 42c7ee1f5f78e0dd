from django.db import migrations


class Migration(migrations.Migration):
    """Changes no table: after it, the identities of results of an earlier version are keyed hashes.

    See reviews.findings.values.keyed_hashes.
    """

    dependencies = [
        ("reviews", "0054_keyed_findings"),
    ]

    operations = []
