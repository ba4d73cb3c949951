"""How much memory there is, asked before work that may need more."""

import os
from pathlib import Path

from adjudge.core.errors import AdjudgeError

_own_limit = False  # is the limit of this process one that we set?
SHARE = 0.9  # of what is free that one piece of work may take
_GB = 1e9


def available_memory() -> int:
    """Bytes that can be had without driving others out; of what the machine has, where not said."""
    try:
        said = Path("/proc/meminfo").read_text().split("MemAvailable:")[1]
        free = int(said.split()[0]) * 1024
    except (OSError, IndexError, ValueError):
        free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(free, may_have())


def has_memory(needed: int) -> bool:
    """Is there so much memory?"""
    return needed <= SHARE * available_memory()


def require_memory(needed: int, what: str, remedy: str) -> None:
    """Refuse work that needs more memory than there is, before it starts."""
    if not has_memory(needed):
        raise AdjudgeError(
            f"{what} about {needed / _GB:,.1f} GB of memory, and {available_memory() / _GB:,.1f} "
            f"are free; {remedy}"
        )


def limited_memory() -> bool:
    """May this process have less memory than there is (`ulimit -v`)?"""
    return may_have() < 2**62 and not _own_limit


def limit_memory(size: int) -> None:
    """Let this process have so many further bytes and no more; for those that may be ended."""
    global _own_limit
    try:
        import resource
    except ImportError:  # not on Windows
        return
    if size < may_have():
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_in_use() + size, hard))
        _own_limit = True


def may_have() -> int:
    """Bytes that this process may still have, however many there are."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 2**62
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 2**62 if soft == resource.RLIM_INFINITY else max(0, soft - _in_use())


def _in_use() -> int:
    """The memory that counts towards the limit already."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
