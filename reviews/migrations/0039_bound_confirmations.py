from django.db import migrations


class Migration(migrations.Migration):
    """Changes no table: after it, the results that exist are bound with their confirmation.

    See reviews.audit.verification.bind_after_migrate.
    """

    dependencies = [
        ("reviews", "0038_list_of_parties"),
    ]

    operations = []
