"""A result as a printed table and as HTML."""

from __future__ import annotations

import html
import re
from io import StringIO

import pytest
from rich.console import Console

import rankmetrics as rm
from rankmetrics.tables import TextTable
from tests.support.two_systems import RECS, TRUTH, cells, named


def test_a_result_prints_as_a_table_with_the_account_below() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    lines = repr(result).splitlines()
    assert [one.strip() for one in lines[0].split("┃")] == ["algorithm", "n_lists", "n_missing", "rr", "hit@1"]
    shown = [cells(one) for one in lines[2:4]]
    assert shown == [["a", "3", "1", "0.5000", "0.3333"], ["b", "3", "1", "0.3333", "0.3333"]]
    assert lines[4] == ""
    assert lines[5:] == result.notes()


def test_an_undefined_mean_is_a_dash() -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(rating=0.0), ["rr", "n_hits"])
    assert cells(repr(result).splitlines()[2]) == ["a", "3", "1", "3", "–", "0.0000"]
    assert result.notes()[-1] == "6 lists for which rr is undefined; not in its mean"
    assert '<td class="number">–</td>' in result._repr_html_()


def test_systems_are_shown_with_the_best_first() -> None:
    result = named("z", "y", "x")
    assert [cells(one)[0] for one in repr(result).splitlines()[2:5]] == ["z", "y", "x"]
    assert result._repr_html_().index("<td>z</td>") < result._repr_html_().index("<td>x</td>")
    assert result.collect()["algorithm"].to_list() == ["x", "y", "z"]


def test_what_is_no_system_keeps_its_order() -> None:
    by_user = rm.evaluate(RECS, TRUTH, "rr", by="user")
    assert [cells(one)[0] for one in repr(by_user).splitlines()[2:5]] == ["1", "2", "3"]
    assert repr(by_user).splitlines()[2:5] == repr(rm.evaluate(RECS, TRUTH, "rr", by=["user"])).splitlines()[2:5]


def test_thirty_rows_are_shown_and_the_rest_is_counted() -> None:
    lines = repr(named(*(f"s{number:02}" for number in range(32)))).splitlines()
    assert [cells(one)[0] for one in lines[2:32]] == [f"s{number:02}" for number in range(30)]
    assert lines[32] == "and 2 more rows"
    assert not [one for one in repr(named(*(f"s{number:02}" for number in range(30)))).splitlines() if "more" in one]


def test_thirty_rows_are_shown_in_a_notebook_and_the_rest_is_counted() -> None:
    page = named(*(f"s{number:02}" for number in range(32)))._repr_html_()
    assert page.count("<tr>") == 31
    assert "2 more rows" in page


@pytest.mark.parametrize("name", ["[red]x", "[/]", "<b>", "a:smile:b", "c\\", "[link=x]y[/link]"])
def test_the_name_of_a_system_is_printed_as_it_is(name: str) -> None:
    assert cells(repr(named(name, "zz")).splitlines()[2])[0] == name


@pytest.mark.parametrize("name", ["[red]x", "a:smile:b"])
def test_the_name_of_a_column_is_printed_as_it_is(name: str) -> None:
    result = rm.evaluate(RECS.rename({"algorithm": name}), TRUTH, "rr")
    assert repr(result).split("┃")[0].strip() == name


@pytest.mark.parametrize("name", ["<b>bold</b>", "a & b", '"quoted"'])
def test_html_shows_the_name_of_a_system_and_does_not_obey_it(name: str) -> None:
    page = named(name, "other")._repr_html_()
    assert f"<td>{html.escape(name)}</td>" in page
    assert "<b>" not in page


def test_html_holds_the_labels_the_numbers_and_the_account() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    page = result._repr_html_()
    number = 'class="number"'
    heads = "".join(f"<th {number}>{name}</th>" for name in ("n_lists", "n_missing", "rr", "hit@1"))
    assert f"<th>algorithm</th>{heads}" in page
    assert f"<td>b</td><td {number}>3</td><td {number}>1</td><td {number}>0.3333</td>" in page
    assert all(f"<li>{html.escape(one)}</li>" in page for one in result.notes())


def test_the_best_of_each_column_is_marked_in_a_notebook() -> None:
    page = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])._repr_html_()
    assert re.findall(r'<span class="best">(.*?)</span>', page) == ["0.5000", "0.3333", "0.3333"]


def test_an_interval_stands_beside_its_mean_in_a_notebook() -> None:
    page = rm.evaluate(RECS, TRUTH, ["rr", "user_coverage@1"], aggregates=["mean", "ci(0.9)"])._repr_html_()
    assert '<span class="best">0.5000</span> <span class="interval">± 0.4748</span>' in page
    assert "rr ci(0.9)</th>" not in page
    assert "user_coverage@1</th>" in page


def test_the_account_is_folded_in_a_notebook_and_a_warning_is_not() -> None:
    page = TextTable.of_rows(["n"], [{"n": 1}]).as_html(["Warning: few lists", "lists: 3"])
    assert "<p>Warning: few lists</p>" in page
    assert "<details><summary>Account</summary><ul><li>lists: 3</li></ul></details>" in page


def test_the_best_of_each_column_stands_out_on_a_terminal() -> None:
    screen = StringIO()
    Console(file=screen, force_terminal=True, color_system="standard", width=200).print(named("z", "y"))
    rows = screen.getvalue().splitlines()[2:4]
    assert [one.count("\x1b[1;32m") for one in rows] == [2, 0]


def test_a_narrow_console_shows_every_number_whole() -> None:
    screen = StringIO()
    Console(file=screen, width=60).print(rm.evaluate(RECS, TRUTH, ["rr", "recall@5,10,20", "precision@5,10,20"]))
    assert "…" not in screen.getvalue()


def test_a_text_is_the_same_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich writes into the output of the cell there, so that the table stood twice and the text was empty."""
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    expected = repr(result)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "hit@1" in expected
    assert repr(result) == expected
