"""What a WSGI server runs; `adjudge serve` does."""

import os

from django.core.wsgi import get_wsgi_application

from adjudge.campaigns.store.busy import limit_waits
from adjudge.errors import AdjudgeError

if not os.environ.get("ADJUDGE_SECRET_KEY"):
    # Every worker would make up its own, and none would know the others' sessions.
    raise AdjudgeError("set ADJUDGE_SECRET_KEY, or start the server with adjudge serve")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adjudge.web.settings")
limit_waits()
application = get_wsgi_application()
