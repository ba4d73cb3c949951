# Two commands on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check bench clean lock messages system-packages

demo: $(VENV)/.run
	$(BIN)/adjudge demo

test: system-packages check
	$(BIN)/pytest --numprocesses 3 --dist loadfile $(PYTEST_ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# The lock files pin versions and hashes; pyproject.toml gives the lower bounds.
lock: $(VENV)/.dev
	tools/lock $(BIN)

# Gathers the words of the judges' pages, lists what has no translation, compiles.
messages: $(VENV)/.run
	$(BIN)/python tools/messages.py

system-packages:
	@tools/system-packages

clean:
	rm -rf $(VENV) demo-output

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Adjudge needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@
