# `make demo` and `make test` set up what they need in .venv and run; nothing else has to be installed first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint golden bench clean

demo: .venv/run
	@$(BIN)/rankmetrics demo

test: .venv/dev .venv-dbt/done .venv-fakesnow/done
	$(BIN)/pytest -n 2 --dist worksteal --cov --cov-report=term-missing:skip-covered

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

golden: .venv/dev
	$(BIN)/python -m tests.golden

bench: .venv/dev
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf .venv .venv-dbt .venv-fakesnow build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache

.venv/pip:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

.venv/run: .venv/pip pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

.venv/dev: .venv/run pyproject.toml
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group test --group lint
	@touch $@

# dbt and fakesnow cannot live with what we pin. Where they do not install, their tests skip and say so.
.venv-%/done: tests/%.txt
	@$(PYTHON) -m venv .venv-$* && .venv-$*/bin/python -m pip install --quiet --requirement $< && touch $@ \
		|| echo "$* could not be installed: its tests are left out"
