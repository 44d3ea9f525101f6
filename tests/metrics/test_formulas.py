"""The formulas in the headers of sql/metrics and sql/runs: LaTeX that renders, of symbols with a meaning."""

from __future__ import annotations

from latex2mathml.converter import convert

import rankmetrics as rm
from docs.tooling.formula_symbols import INLINE, SYMBOLS, UNSAFE, symbols_of, unknown_symbols
from docs.tooling.metric_pages import without_formula
from rankmetrics.metrics.catalog import catalog
from rankmetrics.metrics.definition import read

FORMULAS = {one.name: one.fields["formula"] for one in catalog().metrics() if "formula" in one.fields}


def test_every_metric_has_a_formula_and_a_subject() -> None:
    assert not without_formula(), "\n".join(without_formula())


def test_a_formula_is_latex_that_markdown_leaves_alone() -> None:
    unsafe = {name: found[0] for name, formula in FORMULAS.items() if (found := UNSAFE.search(formula))}
    assert not unsafe, "write it as a command: \\lt for <, \\lbrace for {, no \\,"
    for name, formula in FORMULAS.items():
        assert convert(formula).startswith("<math"), name
        assert formula.count("{") == formula.count("}"), name
        assert formula.count(r"\left") == formula.count(r"\right"), name


def test_every_symbol_of_a_formula_has_a_meaning_of_such_symbols() -> None:
    unknown = {name: found for name, formula in FORMULAS.items() if (found := unknown_symbols(formula))}
    assert not unknown, "add these to SYMBOLS of docs/tooling/formula_symbols.py, or use its symbols"
    meanings = [inside for meaning in SYMBOLS.values() for inside in INLINE.findall(meaning)]
    assert [symbol for inside in meanings for symbol in unknown_symbols(inside)] == []


def test_every_symbol_with_a_meaning_is_in_a_formula() -> None:
    assert {symbol for formula in FORMULAS.values() for symbol in symbols_of(formula)} == set(SYMBOLS)


def test_a_definition_on_the_terminal_has_no_latex() -> None:
    assert "formula:" in catalog().metric("ndcg").text
    assert "\\frac" not in rm.explain("ndcg@10")


def test_an_indented_line_of_a_header_continues_the_key_above_it() -> None:
    lines = ["-- twice: two hits.", "--", "-- formula: 2", "--   \\cdot n", "-- Prose.", "--   indented prose"]
    definition = read("\n".join([*lines, "SELECT 2 AS twice FROM metrics"]), "twice.sql")
    assert definition.fields["formula"] == r"2 \cdot n"
    assert definition.notes == "Prose.\nindented prose"
