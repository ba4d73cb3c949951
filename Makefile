# On a fresh machine: `make install`, `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: install demo test quick check coverage docs bench audit clean lock messages system-packages

# The command adjudge, for this user.
PREFIX ?= $(HOME)/.local
install: $(VENV)/.run
	@mkdir -p $(PREFIX)/bin
	@ln -sf $(abspath $(BIN))/adjudge $(PREFIX)/bin/adjudge
	@echo "adjudge is in $(PREFIX)/bin"
	@command -v adjudge >/dev/null || echo "Put that folder on your PATH: export PATH=$(PREFIX)/bin:\$$PATH"

demo: $(VENV)/.run
	$(BIN)/adjudge demo

test: system-packages check
	$(BIN)/pytest --numprocesses 3 --dist loadfile $(PYTEST_ARGS)

# Under 90 seconds: no browser, no PostgreSQL, no real data, no long simulation.
QUICK := not browser and not postgres and not shared_data and not slow
quick: $(VENV)/.dev
	$(BIN)/pytest --numprocesses 2 --dist loadfile -m "$(QUICK)" $(PYTEST_ARGS)

# Which lines and branches the quick tests reach, in processes too; all of them: TESTS=
TESTS ?= -m "$(QUICK)"
coverage: $(VENV)/.dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --numprocesses 2 --dist loadfile $(TESTS) $(PYTEST_ARGS)
	$(BIN)/coverage combine --quiet
	@echo "The least covered modules:"
	@$(BIN)/coverage report --sort cover --skip-covered > .coverage-report
	@head -n 27 .coverage-report; tail -n 3 .coverage-report

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/lint_prose.py
	@tools/lint-scripts

# A site that works offline; a broken link ends the build.
docs: $(VENV)/.dev
	$(BIN)/python tools/architecture_picture.py
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs
	@echo "Open build/docs/index.html"

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# The lock files pin versions and hashes; pyproject.toml gives the lower bounds.
lock: $(VENV)/.dev
	tools/lock $(BIN)

# Licences and known vulnerabilities of every pinned package; pip-audit has its own environment.
audit: $(VENV)/.dev
	@test -x build/audit/bin/pip-audit || $(PYTHON) -m venv build/audit
	@build/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	@$(BIN)/python tools/audit.py build/audit/bin/pip-audit

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
