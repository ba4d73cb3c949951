import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0006_projects_and_versions"),
    ]

    operations = [
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, null=True, unique=True)),
                ("email", models.EmailField(max_length=254, null=True, unique=True)),
                ("password", models.CharField(blank=True, max_length=128)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.AddField(
            model_name="campaign",
            name="contact",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="show_reference",
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name="judge",
            name="person",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="judges",
                to="campaigns.person",
            ),
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("text", models.TextField()),
                ("received", models.DateTimeField()),
                (
                    "assignment",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="remarks",
                        to="campaigns.assignment",
                    ),
                ),
                (
                    "judge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="remarks",
                        to="campaigns.judge",
                    ),
                ),
            ],
        ),
    ]
