"""Available memory, checked before work that may need more."""

import os
from pathlib import Path

from adjudge.core.errors import AdjudgeError

_own_limit = False  # is the limit of this process one that we set?
SHARE = 0.9  # of what is free that one piece of work may take
_GB = 1e9


def available_memory() -> int:
    """Available memory in bytes without swapping; total memory if the system does not report it."""
    try:
        said = Path("/proc/meminfo").read_text().split("MemAvailable:")[1]
        free = int(said.split()[0]) * 1024
    except (OSError, IndexError, ValueError):
        free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(free, may_have())


def has_memory(needed: int) -> bool:
    """Test whether this much memory is available."""
    return needed <= SHARE * available_memory()


def require_memory(needed: int, what: str, remedy: str) -> None:
    """Refuse work that needs more memory than is available, before it starts."""
    if not has_memory(needed):
        raise AdjudgeError(
            f"{what} about {needed / _GB:,.1f} GB of memory, and {available_memory() / _GB:,.1f} "
            f"are free; {remedy}"
        )


def limited_memory() -> bool:
    """Test whether this process runs under a memory limit (`ulimit -v`)."""
    return may_have() < 2**62 and not _own_limit


def limit_memory(size: int) -> None:
    """Limit the further memory of this process, for processes that may be killed."""
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
    """Memory in bytes that this process may still allocate under its limit."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 2**62
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 2**62 if soft == resource.RLIM_INFINITY else max(0, soft - _in_use())


def _in_use() -> int:
    """Memory that already counts towards the limit."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
