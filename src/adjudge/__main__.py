"""`adjudge` and `python -m adjudge`: an interrupt is no traceback, not even while they start."""

import sys


def main() -> None:
    """Run a command."""
    try:
        from adjudge.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
