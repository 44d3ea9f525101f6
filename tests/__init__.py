"""The tests of rankmetrics.

Folders mirror those of the package. `docs` checks the documentation, `support` is what tests share (the second
implementation of each metric, random problems, engines), `golden` the SQL of example queries.

- Planning a query takes most of the time of a test. So many cases are one test with a loop over one query, whose
  assertions name the case: `assert values == expected, name`. Parametrize by engine, not by case.
- The fixture `engine` is Polars. Mark a test `each_engine` if DuckDB may differ, `polars_and_later_duckdb` if
  the agreement of the engines covers what may differ, `long` if it takes more than a few seconds.
- Do not work out what the table of examples, a page of a metric or the second implementation computes already.
- Some numbers of other libraries may not be redistributed: tests read them in a folder `shared` beside the checkout.
- `make draw` generates many more random problems; run it after a change of the planner.
"""

from pathlib import Path

# The checkout.
ROOT = Path(__file__).parents[1]
