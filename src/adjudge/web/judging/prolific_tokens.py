"""Verification of Prolific's signed tokens in its secured external URLs.

`prolific_token` is a JSON Web Token (RFC 7519), signed with RS256 (RFC 7518 §3.3): the worker, the
study and the submission under `prolific`, an expiry (`exp`) and an audience (`aud`). The public
keys are fetched from Prolific once a day or when a key is unknown. The whole encoded message is
compared (RFC 8017 §8.2.2).
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from threading import Lock
from typing import Any
from urllib.request import urlopen

from django.conf import settings

from adjudge.core.errors import AdjudgeError

TOKEN = "prolific_token"
LONGEST = 8192
_KEPT = 24 * 3600  # seconds that keys are believed
_SELDOM = 60  # seconds between two askings
_SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")  # says: a SHA-256 follows
_PATIENCE = 5  # seconds for Prolific to answer


class _Keys:
    """Cache of Prolific's public keys by key id."""

    def __init__(self) -> None:
        self.known: Mapping[str, tuple[int, int]] = {}
        self.asked = float("-inf")
        self.lock = Lock()

    def named(self, name: str) -> tuple[int, int]:
        with self.lock:
            age = time.monotonic() - self.asked
            if age > _KEPT or (name not in self.known and age > _SELDOM):
                self.asked = time.monotonic()
                self.known = _fetched()
            if name not in self.known:
                raise AdjudgeError("the platform's signature is of an unknown key; start there")
            return self.known[name]


_keys = _Keys()


def _fetched() -> dict[str, tuple[int, int]]:
    try:
        with urlopen(settings.PROLIFIC_KEYS, timeout=_PATIENCE) as reply:
            keys = json.load(reply)["keys"]
        return {str(key["kid"]): (_number(key["n"]), _number(key["e"])) for key in keys}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AdjudgeError(f"Prolific's keys cannot be had ({error}); try again later") from None


def check_signed(token: str, host: str, worker: str, task: str) -> None:
    """Refuse entry without a valid current token for this worker and submission."""
    claims = _claims(token)
    said = {str(name).lower(): value for name, value in claims.get("prolific", {}).items()}
    if (said.get("prolific_pid"), said.get("session_id")) != (worker, task):
        raise AdjudgeError("the platform's signature is for somebody else; start on the platform")
    audience = str(claims.get("aud", "")).removeprefix("https://").partition("/")[0]
    if audience.partition(":")[0] != host.partition(":")[0]:
        raise AdjudgeError("the platform's signature is for another server; start on the platform")
    ends = claims.get("exp")
    if not isinstance(ends, int | float) or ends < time.time():
        raise AdjudgeError("the platform's signature is too old; start on the platform again")


def _claims(token: str) -> dict[str, Any]:
    """Verified claims of a token signed by Prolific."""
    try:
        if len(token) > LONGEST:
            raise ValueError
        head, body, signature = token.split(".")
        told = json.loads(_bytes(head))
        if told["alg"] != "RS256":
            raise ValueError
        modulus, exponent = _keys.named(str(told["kid"]))
        if not _fits(f"{head}.{body}".encode(), _bytes(signature), modulus, exponent):
            raise ValueError
        claims = json.loads(_bytes(body))
    except (ValueError, KeyError, TypeError, RecursionError):
        claims = None
    if not isinstance(claims, dict) or not isinstance(claims.get("prolific", {}), dict):
        raise AdjudgeError("the platform's signature is missing or wrong; start on the platform")
    return claims


def _fits(message: bytes, signature: bytes, modulus: int, exponent: int) -> bool:
    length = (modulus.bit_length() + 7) // 8
    digest = _SHA256 + hashlib.sha256(message).digest()
    expected = b"\x00\x01" + b"\xff" * (length - 3 - len(digest)) + b"\x00" + digest
    number = int.from_bytes(signature)
    if length < 256 or len(signature) != length or number >= modulus:  # keys of 2048 bits and more
        return False
    return hmac.compare_digest(pow(number, exponent, modulus).to_bytes(length), expected)


def _number(text: str) -> int:
    return int.from_bytes(_bytes(text))


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
