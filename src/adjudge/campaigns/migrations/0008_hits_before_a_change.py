from django.db import migrations, models


class Migration(migrations.Migration):
    """Stop assigning HITs drawn before a change."""

    dependencies = (("campaigns", "0007_what_judges_write"),)

    operations = (
        migrations.AddField(
            model_name="hit",
            name="retired",
            field=models.BooleanField(default=False),
        ),
    )
