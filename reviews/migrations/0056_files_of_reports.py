import compliance.security.personal_fields
from django.db import migrations


class Migration(migrations.Migration):
    """The files of a report of suspicious activity, as they were approved."""

    dependencies = [
        ("reviews", "0055_keyed_results"),
    ]

    operations = [
        migrations.AddField(
            model_name="suspicionreport",
            name="files",
            field=compliance.security.personal_fields.PersonalJSONField(
                default=dict, help_text='{"goAML": "<?xml …", …}'
            ),
        ),
    ]
