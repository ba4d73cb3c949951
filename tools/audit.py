"""Known vulnerabilities and licences of every pinned dependency: `make audit`.

Exits with 1 if a dependency has a known vulnerability, if a licence needs a decision that nobody
has taken yet, or if no vulnerability service answered: silence is not a clean result.

pip-audit has no database of its own: it asks PyPI (pypi.org) or OSV (osv.dev) about each version.
Where neither can be reached, take the lock files to a machine where one can be.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, files, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock")
SERVICES = ("pypi", "osv")  # of pip-audit, in the order they are asked

# Licences that let anybody use the packages beside code under Apache 2.0. The LGPL and the MPL
# bind changes to the package itself, which we do not change.
ACCEPTED = re.compile(
    r"0BSD|Apache|BSD|CC0|CNRI-Python|HPND|ISC|LGPL|Lesser General Public|MIT|MPL|Mozilla"
    r"|PSF|Python Software Foundation|Unlicense|Zlib",
    re.IGNORECASE,
)
COPYLEFT = re.compile(r"(?<!L)GPL|(?<!Lesser )General Public License", re.IGNORECASE)

# Packages whose metadata leaves the question open, and the answer.
REVIEWED = {
    "axe-playwright-python": "its licence file is MIT; tests only",
    "docutils": "public domain and BSD but for a mode for Emacs, which we do not use; docs only",
    "krippendorff": "GPL 3; tests compare our figures with it, nothing is distributed with it",
    "pycocoevalcap": "BSD by its project page; tests take METEOR's jar from it",
}


def pinned(lock: Path) -> list[str]:
    """Names of the packages that a lock file pins."""
    return re.findall(r"^([A-Za-z0-9._-]+)==", lock.read_text(encoding="utf-8"), re.MULTILINE)


def stated_licence(name: str) -> str:
    """The licence in the metadata of an installed package; empty if it states none."""
    try:
        fields = metadata(name)
    except PackageNotFoundError:  # pinned for another system or version of Python
        return "not installed here"
    classifiers = (text.split(" :: ") for text in fields.get_all("Classifier", []))
    classified = [parts[-1] for parts in classifiers if parts[0] == "License" and len(parts) > 2]
    text = fields.get("License", "").strip().partition("\n")[0]
    return fields.get("License-Expression") or "; ".join(classified) or text or _licence_file(name)


def _licence_file(name: str) -> str:
    """The first line of a package's licence file, which names the licence."""
    for file in files(name) or ():
        if file.name.upper().startswith("LICEN") and ".dist-info" in str(file):
            return file.read_text(encoding="utf-8").strip().partition("\n")[0]
    return ""


def undecided(licences: Mapping[str, str]) -> list[str]:
    """Packages that are neither under an accepted licence nor reviewed."""
    return [
        name
        for name, licence in licences.items()
        if name not in REVIEWED
        and licence != "not installed here"
        and (COPYLEFT.search(licence) or not ACCEPTED.search(licence))
    ]


def vulnerabilities(pip_audit: str, lock: Path) -> list[str] | None:
    """One line per known vulnerability of what a lock file pins; None if nothing could be checked.

    A service that does not know a package has not checked it.
    """
    for service in SERVICES:
        what = ["--requirement", str(lock), "--no-deps", "--disable-pip"]
        how = ["--vulnerability-service", service, "--format", "json", "--progress-spinner", "off"]
        done = subprocess.run([pip_audit, *what, *how], capture_output=True, text=True, check=False)
        try:
            found = json.loads(done.stdout)["dependencies"]
        except (json.JSONDecodeError, KeyError):
            print(f"  {lock.name}: {service} cannot be reached")
            continue
        skipped = [package["name"] for package in found if "skip_reason" in package]
        if skipped:
            print(f"  {lock.name}: {service} does not know {len(skipped)} of {len(found)} packages")
            continue
        return [line for package in found for line in _lines(package)]
    return None


def _lines(package: Mapping[str, object]) -> Iterable[str]:
    known = package["vulns"]
    assert isinstance(known, Sequence)
    for vulnerability in known:
        fixed = ", ".join(vulnerability["fix_versions"]) or "no version yet"
        yield f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in {fixed}"


def main(pip_audit: str) -> int:
    """Print both lists; the exit code says whether anybody has to act."""
    licences = {name: stated_licence(name) for lock in LOCKS for name in pinned(ROOT / lock)}
    print("Licences")
    for name in sorted(licences):
        print(f"  {name:28} {licences[name] or 'none stated':40} {REVIEWED.get(name, '')}".rstrip())
    problems = [
        f"{name}: licence {licences[name] or 'not stated'!r} needs a decision in tools/audit.py"
        for name in undecided(licences)
    ]
    print("Vulnerabilities")
    for lock in LOCKS:
        known = vulnerabilities(pip_audit, ROOT / lock)
        if known is None:
            problems.append(
                f"{lock}: NOT CHECKED for vulnerabilities: neither {' nor '.join(SERVICES)} "
                "answered for all packages; run make audit where one can be reached"
            )
        else:
            problems += [f"{lock}: {line}" for line in known]
    print("Result")
    print("\n".join(f"  {problem}" for problem in problems) or "  nothing to do")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
