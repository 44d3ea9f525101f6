# `make demo` and `make test` set up what they need in .venv and run; nothing else has to be installed first.
PYTHON ?= python3
DRAWS ?= 20
BIN := .venv/bin

.PHONY: demo test quick test-long test-all draw lint golden notebooks docs dist fidelity bench bench-engines bench-peers clean

demo: .venv/run
	@$(BIN)/rankmetrics demo

# Every metric on every engine that is here, once; what takes long is left to `make test-all`. Each of the two workers
# has a core, so Polars starts one thread in it; in the long tests it starts as many as it likes.
test: .venv/dev
	POLARS_MAX_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal -m "not long"

# For who changes a stage, a pass or the planner: golden SQL, queries with and without passes, some generated problems.
quick: .venv/dev
	RANKMETRICS_DRAWS=0.1 $(BIN)/pytest -n 2 --dist worksteal -m "not long" -p no:cacheprovider -q $(QUICK)
QUICK := tests/sqltree tests/planner tests/engines/test_agreement.py \
	"tests/test_golden.py::test_generated_files_are_as_make_golden_writes_them[sql]"

# The long tests of CI: what users run and the short tests do not. Every choice and policy on every engine, all cutoffs of the
# libraries, names and types of columns of databases, passes switched off one by one, more generated problems, Spark, the jobs of dbt, the generated pages, the site in
# a browser, the sixty tasks of the docs and its longer pages. Left to `make test-all`: larger data, notebooks, charts.
test-long: .venv/dev .venv-dbt/done .venv-fakesnow/done
	RANKMETRICS_DRAWS=$(SHARE) $(BIN)/pytest -n 2 --dist worksteal -m long tests/engines/test_every_metric.py \
		tests/engines/test_database.py tests/engines/test_database_types.py tests/engines/test_nested_inputs.py \
		tests/engines/test_selects.py tests/engines/test_spark.py tests/fidelity/test_fidelity.py \
		tests/fidelity/test_migrating.py tests/comparisons/test_statistics.py tests/test_judges.py \
		tests/engines/test_spark_plans.py tests/engines/test_out_of_core.py tests/planner tests/faults/test_account.py \
		tests/faults/test_faults.py tests/export tests/splits tests/sqltree tests/dialects tests/reports tests/metrics \
		tests/inputs/test_chunks.py tests/traces tests/test_request.py tests/test_audits.py tests/results \
		tests/test_golden.py \
		tests/docs/test_site.py tests/docs/test_followed_pages.py tests/docs/test_quickstarts.py \
		$(LONG_PAGES)
LONG_PAGES := $(foreach page,audit logs propensities,\
	"tests/docs/test_code.py::test_the_python_of_a_page_runs_from_top_to_bottom[docs/$(page).md]")

# All of it: every choice on every engine, many generated problems, jobs of dbt. ONLY selects tests, as pytest writes it;
# SHARE is the share of the generated problems; `COVERAGE=` measures no coverage, which takes half of the time again.
SHARE ?= 1
COVERAGE ?= --cov --cov-report=term-missing:skip-covered
test-all: .venv/dev .venv-dbt/done .venv-fakesnow/done
	RANKMETRICS_DRAWS=$(SHARE) $(BIN)/pytest -n 2 --dist worksteal $(COVERAGE) $(ONLY)

# Many times as many drawn worlds, on every engine that is here.
draw: .venv/dev
	RANKMETRICS_DRAWS=$(DRAWS) $(BIN)/pytest -n 2 --dist worksteal tests/engines/test_agreement.py \
		tests/engines/test_every_metric.py tests/engines/test_files.py tests/inputs/test_types.py tests/faults/test_account.py \
		tests/planner/passes/test_hit_histogram.py tests/sqltree/test_names.py

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

golden: .venv/dev
	$(BIN)/python -m tests.golden

# The documentation site, in site/: every link is checked, and that no page loads anything from elsewhere.
docs: .venv/dev
	$(BIN)/python -m docs.tooling.site

# The wheel and the source distribution, in dist/: each is installed in an environment of its own and tried.
dist: .venv/dev
	$(BIN)/python -m docs.tooling.dist

# The notebooks of docs/notebooks, run anew, and their pages.
notebooks: .venv/dev
	$(BIN)/python -m docs.tooling.notebooks
	$(BIN)/python -m tests.golden

# What other libraries return on the problems of peers/, written again: each runs in an environment of its own.
# `make fidelity LIB=ranx` runs one library.
fidelity: .venv/dev
	$(BIN)/python -m peers.run $(LIB)
	$(BIN)/pytest tests/fidelity
	$(BIN)/python -m tests.golden

bench: .venv/bench
	$(BIN)/python -m peers.run --install pytrec_eval
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/picture.py

# Our SQL beside SQL written by hand: for Linux; Spark needs Java.
bench-engines: .venv/dev
	$(BIN)/python benchmarks/engines.py

bench-peers: .venv/dev
	$(BIN)/python -m peers.run --install ir_measures lenskit-2025 pytrec_eval ranx rectools replay
	$(BIN)/python benchmarks/other_libraries.py

clean:
	rm -rf .venv .venv-* build dist site .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache

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

.venv/bench: .venv/dev pyproject.toml
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group bench
	@touch $@

# dbt and fakesnow cannot live with what we pin. Where they do not install, their tests skip and say so.
.venv-%/done: tests/support/%.txt
	@$(PYTHON) -m venv .venv-$* && .venv-$*/bin/python -m pip install --quiet --requirement $< && touch $@ \
		|| echo "$* could not be installed: its tests are left out"
