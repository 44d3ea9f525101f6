"""How a comparison prints, and the kinds of table that it returns."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.comparisons.comparison import letters
from tests.comparisons.problems import values_per_list
from tests.support.engines import LOCAL, Engine

ENGINES = pytest.mark.parametrize("engine", LOCAL, ids=str)
VALUES = values_per_list(seed=1)


def _compared(**options: Any) -> rm.Comparison:
    return rm.compare_files(VALUES[:7], VALUES[7:], **options)


def test_a_letter_stands_for_each_system_that_is_significantly_worse() -> None:
    found = _compared(metrics="ndcg@10").collect()
    worse = {row["system"]: row["baseline"] for row in found.to_dicts() if row["p_t_adjusted"] < 0.05}
    assert worse == {"knn": "als", "pop": "knn"}  # and pop is better than als: the mapping holds the last
    text = repr(_compared(metrics="ndcg@10"))
    als, knn, pop = text.splitlines()[2:5]
    assert als.split()[:3:2] == ["a", "als"]
    assert knn.endswith("ᵃ")
    assert pop.endswith("ᵃᵇ")
    assert "a letter: significantly better than the system of this letter (paired t-test, p < 0.05)" in text
    assert "p-values are corrected for the 3 tests of a metric: Holm" in text


def test_a_higher_confidence_leaves_letters_out() -> None:
    assert "ᵃ" not in repr(_compared(metrics="ndcg@10", confidence=1 - 1e-12))


def test_the_notes_count_what_is_left_out() -> None:
    fewer = VALUES.filter((pl.col("system") != "als") | (pl.col("user") > 9))
    notes = rm.compare_files(fewer[:7], fewer[7:], correction="none").notes()
    assert "lists that only one system of a pair has, which are left out: 10" in notes
    assert "p-values are not corrected for several tests" in notes
    n_undefined = max(rm.compare_files(fewer[:7], fewer[7:]).collect()["n_undefined"])
    assert f"lists of a pair for which recall@5 is undefined, which are left out: {n_undefined}" in notes


def test_names_are_escaped_in_latex_and_html() -> None:
    named = VALUES.with_columns(pl.col("system").replace({"als": "als_64 & <b>"}))
    found = rm.compare_files(named[:7], named[7:], metrics="ndcg@10")
    assert "a & als\\_64 \\& $<$b> & " in found.to_latex()
    assert "\\begin{tabular}{llr}" in found.to_latex()
    assert "als_64 &amp; &lt;b&gt;" in found._repr_html_()
    assert "<sup>a b</sup>" in found._repr_html_()


@ENGINES
def test_the_table_is_of_the_callers_kind(engine: Engine) -> None:
    given = engine.give(VALUES[:7]), engine.give(VALUES[7:])
    found = rm.compare_files(*given)
    table = found.table()
    assert type(table) is type(given[0])
    assert_frame_equal(engine.read(table), found.collect())


def test_letters_go_on_after_z() -> None:
    assert letters(28)[24:] == ["y", "z", "aa", "ab"]


def test_a_notebook_shows_the_pairs_and_the_notes_of_the_terminal() -> None:
    found = rm.compare_files(VALUES[:7], VALUES[7:], metrics="ndcg@10")
    pair, page = found.collect().row(0, named=True), found._repr_html_()
    assert f"{pair['ci_low']:+.4f} to {pair['ci_high']:+.4f}" in page
    assert f"{pair['difference']:+.4f}" in page
    assert all(f"<li>{note.replace('<', '&lt;')}</li>" in page for note in found.notes())
