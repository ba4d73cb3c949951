"""Django's settings with pages. What differs between servers comes from the environment:

| variable                  | what it says |
|---------------------------|--------------|
| `DATABASE_URL`            | where the campaigns are |
| `ADJUDGE_SECRET_KEY`      | signs sessions; without it every process makes up its own |
| `ADJUDGE_ALLOWED_HOSTS`   | names under which the server is reached in public, with commas |
| `ADJUDGE_HTTPS`           | `1`: by https only, through a proxy that sets X-Forwarded-* |
| `ADJUDGE_CONTACT`         | whom people may ask: an address or a name, at the foot of every page |
| `ADJUDGE_SMTP`            | the mail server: `smtp://name:password@host:587` (see `mail`) |
| `ADJUDGE_MAIL_FROM`       | who mail comes from |
| `ADJUDGE_METRICS_TOKEN`   | who brings it may read `/metrics` |
| `ADJUDGE_MTURK_ORIGINS`   | where crowd work may be handed back to, with commas |
| `ADJUDGE_PROLIFIC_ORIGIN` | the same for Prolific |
| `ADJUDGE_PROLIFIC_KEYS`   | where the keys are with which Prolific signs who comes |

`adjudge serve` sets the first four.
"""

import os
import secrets
from importlib.metadata import entry_points

from adjudge.campaigns.settings import *  # noqa: F403
from adjudge.web.mail import mail_settings


def _listed(name: str, otherwise: str = "") -> list[str]:
    return [value.strip() for value in os.environ.get(name, otherwise).split(",") if value.strip()]


def protocol_packages() -> list[str]:
    """Packages that bring a protocol: Django searches their `templates`, `static` and `locale`."""
    modules = [point.module for point in entry_points(group="adjudge.protocols")]
    return sorted({module.rpartition(".")[0] for module in modules} - {""})


SECRET_KEY = os.environ.get("ADJUDGE_SECRET_KEY") or secrets.token_urlsafe(48)
DEBUG = False
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *_listed("ADJUDGE_ALLOWED_HOSTS")]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django_htmx",
    "adjudge.campaigns",
    "adjudge.web",
    *protocol_packages(),
]
MIDDLEWARE = [
    "adjudge.web.middleware.content_security_policy",
    "adjudge.web.middleware.body_size",
    "adjudge.web.middleware.no_nul",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "adjudge.web.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "adjudge.web.pages.site_contact",
            ],
        },
    },
]

# What breaks is said where the server was started; that the database is busy, `pages.busy` says.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"broken": {"()": "adjudge.web.pages.NotBusy"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["broken"]}},
    "loggers": {"django": {"handlers": ["stderr"], "level": "ERROR"}},
}

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("cs", "čeština"),
    ("de", "Deutsch"),
    ("es", "español"),
    ("fr", "français"),
]

# Served from where they are installed. Names carry no hash, so browsers ask whether a file
# has changed each time.
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 0

# A campaign may have more systems than Django takes files; the size of all has its own limit.
DATA_UPLOAD_MAX_NUMBER_FILES = 2000

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

HTTPS = os.environ.get("ADJUDGE_HTTPS") == "1"
SESSION_COOKIE_NAME = "adjudge_session"
SESSION_COOKIE_AGE = 30 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True  # pages carry the token
CSRF_FAILURE_VIEW = "adjudge.web.pages.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Asked by machines beside the server, which need no https.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
METRICS_TOKEN = os.environ.get("ADJUDGE_METRICS_TOKEN", "")
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# Whether other names under this domain speak https is not ours to promise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

_MAIL = mail_settings(os.environ.get("ADJUDGE_SMTP", ""), os.environ.get("ADJUDGE_MAIL_FROM", ""))
globals().update(_MAIL)
SENDS_MAIL = bool(_MAIL)
CONTACT = os.environ.get("ADJUDGE_CONTACT", "").strip()
MTURK_ORIGINS = _listed(
    "ADJUDGE_MTURK_ORIGINS", "https://www.mturk.com,https://workersandbox.mturk.com"
)
PROLIFIC_KEYS = os.environ.get(
    "ADJUDGE_PROLIFIC_KEYS", "https://api.prolific.com/.well-known/study/jwks.json"
)
PROLIFIC_ORIGIN = os.environ.get("ADJUDGE_PROLIFIC_ORIGIN", "https://app.prolific.com")
