"""An approval on thin evidence, or on evidence that was set aside, asks for a second person."""

from django.db import migrations, models

RULES = (
    ("A check was overridden or did not pass", "overridden"),
    ("Approve was not recommended", "unsupported"),
    ("The agent says what is missing", "reasons"),
    ("Nothing was examined", "unexamined"),
)


def add_rules(apps, schema_editor):
    """To those of an installation that has rules; a new one gets them all after the migrations.

    Where administrators have a rule of that condition, active or not, theirs stands.
    """
    rules = apps.get_model("reviews", "FourEyesRule").objects
    if not rules.exists():
        return
    for name, condition in RULES:
        if not rules.filter(condition=condition).exists():
            given = {"condition": condition, "outcome": "approve"}
            rules.get_or_create(name=name, defaults=given)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0014_severity")]

    operations = [
        migrations.AlterField(
            model_name="foureyesrule",
            name="condition",
            field=models.CharField(
                choices=[
                    ("always", "Always"),
                    ("against", "Against the agent's recommendation"),
                    ("risks", "RISK indicators, at least as many as the threshold"),
                    ("high_risk", "A document was found to be of high risk"),
                    ("overridden", "A check was overridden, or did not pass"),
                    ("unsupported", "The agent did not recommend it"),
                    ("reasons", "The agent gave reasons with its recommendation"),
                    ("unexamined", "No document and no list was examined"),
                ],
                max_length=12,
            ),
        ),
        migrations.RunPython(add_rules, migrations.RunPython.noop),
    ]
