from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0003_protocols"),
    ]

    operations = [
        migrations.RenameField(
            model_name="campaign",
            old_name="design",
            new_name="design_values",
        ),
        migrations.AddField(
            model_name="campaign",
            name="needs_claimed",
            field=models.DateTimeField(null=True),
        ),
    ]
