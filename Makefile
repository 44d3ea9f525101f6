# `make demo` and `make test` set up what they need in .venv and run; nothing else has to be installed first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint golden bench clean

demo: .venv/run
	@$(BIN)/rankmetrics demo

test: .venv/dev
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
	rm -rf .venv build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache

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
