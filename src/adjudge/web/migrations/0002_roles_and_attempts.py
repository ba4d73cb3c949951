from typing import Any

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def all_administrators(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make all existing organisers administrators, since every organiser used to see every
    campaign.
    """
    User: Any = apps.get_model("auth", "User")
    User.objects.filter(is_staff=True).update(is_superuser=True)


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.DeleteModel(name="FailedLogin"),
        migrations.CreateModel(
            name="SignInAttempts",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=64, unique=True)),
                ("times", models.JSONField(default=list)),
                ("last", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["last"], name="old_sign_in_attempts")],
            },
        ),
        migrations.RunPython(all_administrators, migrations.RunPython.noop),
    ]
