"""The command line starts fast because nothing heavy is imported before it is needed."""

import subprocess
import sys

HEAVY = ("polars", "numpy", "scipy", "numba", "django", "joblib")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from adjudge.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from adjudge.cli import main\n"
        "sys.argv = ['adjudge', '--help']\n"
        "try:\n    main()\n"
        "finally:\n    print('\\nimported:', *sorted({m.split('.')[0] for m in sys.modules}))\n"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    printed, imported = answer.stdout.rsplit("imported:", 1)
    assert "Usage: adjudge" in printed
    assert not set(imported.split()) & set(HEAVY)


def test_version():
    from adjudge import __version__

    assert run("--version").stdout.strip() == __version__


def test_a_missing_file_is_one_line_and_exit_code_2():
    answer = run("info", "no-such-file")
    assert answer.returncode == 2
    assert answer.stderr == "adjudge: no-such-file: no such file; check the path\n"
    assert answer.stdout == ""
