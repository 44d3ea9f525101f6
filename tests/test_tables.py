"""A result as a printed table, as HTML, as frames and as text."""

from __future__ import annotations

import html
import json
import re
import sys
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from rich.console import Console

import rankmetrics as rm
from rankmetrics.metrics.catalog import catalog
from rankmetrics.tables import TextTable, as_text
from tests.support.refusals import refusal
from tests.support.two_systems import RECS, RECS_PATH, TRUTH, TRUTH_PATH, cells, named

# --- a terminal and a notebook ----------------------------------------------------------------------------------------


def test_a_result_prints_as_a_table_with_the_account_below() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    lines, page = repr(result).splitlines(), result._repr_html_()
    assert [heading.strip() for heading in lines[0].split("┃")] == ["algorithm", "n_lists", "n_missing", "rr", "hit@1"]
    assert [cells(line) for line in lines[2:4]] == [
        ["a", "3", "1", "0.5000", "0.3333"],
        ["b", "3", "1", *["0.3333"] * 2],
    ]
    assert lines[4:] == ["", *result.notes()]
    number = 'class="number"'
    heads = "".join(f"<th {number}>{name}</th>" for name in ("n_lists", "n_missing", "rr", "hit@1"))
    assert f"<th>algorithm</th>{heads}" in page
    assert f"<td>b</td><td {number}>3</td><td {number}>1</td><td {number}>0.3333</td>" in page
    assert all(f"<li>{html.escape(note)}</li>" in page for note in result.notes())
    assert re.findall(r'<span class="best">(.*?)</span>', page) == ["0.5000", "0.3333", "0.3333"]


def test_a_control_character_is_seen_and_does_not_act() -> None:
    """A terminal obeys what follows ESC, also in names of columns and in messages."""
    result = named("\x1b[31mred", "b\x00\ufffe\x9b")
    screen = StringIO()
    Console(file=screen, force_terminal=True, color_system=None).print(result)
    texts = [repr(result), screen.getvalue(), result._repr_html_(), *map(result.to_text, ("markdown", "latex"))]
    texts += [f"{result.compare()!r}", repr(result.trace(user=1, algorithm="\x1b[31mred"))]
    for text in texts:
        assert "x1b" in text, text
        assert not {*text} & {*"\x1b\x00\ufffe\x9b"}, text
    assert all("b\\x00\\ufffe\\x9b" in text for text in texts[:3])
    table = TextTable.of_texts(["a\x1b[1m"], [["\ud800"]])
    assert repr(as_text(table)).count("\\\\") == 2
    item = rm.errors.Option("item", "b\x07")
    assert str(rm.InputError(f"a\x07{item}.")) == r"""a\x07item="b\x07"."""


def test_an_undefined_mean_is_a_dash() -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(rating=0.0), ["rr", "n_hits"])
    assert cells(repr(result).splitlines()[2]) == ["a", "3", "1", "3", "–", "0.0000"]
    assert result.notes()[-2] == "6 lists for which rr is undefined; not in its mean (†)"
    assert '<td class="number">–</td>' in result._repr_html_()


def test_a_mean_over_fewer_lists_than_those_next_to_it_is_marked() -> None:
    truth = TRUTH.with_columns(rating=pl.when(pl.col("user") < 3).then("rating").otherwise(0.0))
    result = rm.evaluate(RECS, truth, ["recall@2", "n_hits@2", "personalization@2"], aggregates=["mean", "median"])
    shown = ["recall@2 †", "recall@2 median †", "n_hits@2", "n_hits@2 median", "personalization@2"]
    assert [heading.strip() for heading in repr(result).splitlines()[0].split("┃")][4:] == shown
    assert '<th class="number">recall@2 †</th>' in result._repr_html_()
    assert "| recall@2 † |" in result.to_text()
    assert r"& recall@2$^\dagger$ &" in result.to_text("latex").replace(" $", "$")
    assert [note for note in result.notes() if "†" in note] == [
        "2 lists for which recall@2 is undefined; not in its mean (†)"
    ]
    assert "recall@2 †" not in result.to_text("csv")
    alike = rm.evaluate(RECS, truth, ["recall@2", "rr"])
    assert "†" not in repr(alike)


def test_systems_are_shown_with_the_best_first_and_other_rows_in_their_order() -> None:
    result = named("z", "y", "x")
    assert [cells(line)[0] for line in repr(result).splitlines()[2:5]] == ["z", "y", "x"]
    assert result._repr_html_().index("<td>z</td>") < result._repr_html_().index("<td>x</td>")
    assert result.collect()["algorithm"].to_list() == ["z", "y", "x"]  # in the same order
    by_user = rm.evaluate(RECS, TRUTH, "rr", by="user")
    assert [cells(line)[0] for line in repr(by_user).splitlines()[2:5]] == ["1", "2", "3"]


def test_thirty_rows_are_shown_and_the_rest_is_counted() -> None:
    result = named(*(f"s{number:02}" for number in range(32)))
    lines, page = repr(result).splitlines(), result._repr_html_()
    assert [cells(line)[0] for line in lines[2:32]] == [f"s{number:02}" for number in range(30)]
    assert lines[32] == "and 2 more rows"
    assert page.count("<tr>") == 31
    assert "2 more rows" in page
    assert "more" not in repr(named(*(f"s{number:02}" for number in range(30))))


def test_names_are_printed_as_they_are() -> None:
    names = ["[red]x", "[/]", "<b>", "a:smile:b", "c\\", "[link=x]y[/link]", "a & b", '"quoted"']
    result = named(*names)
    lines, page = repr(result).splitlines()[2:], result._repr_html_()
    assert [cells(line)[0] for line in lines[: len(names)]] == names
    assert all(f"<td>{html.escape(name)}</td>" in page for name in names)
    assert "<b>" not in page
    headings = as_text(TextTable.of_rows(names, [dict.fromkeys(names, 1)])).splitlines()[0].split("┃")
    assert [heading.strip() for heading in headings] == names


def test_an_interval_stands_beside_its_mean_in_a_notebook() -> None:
    page = rm.evaluate(RECS, TRUTH, ["rr", "user_coverage@1"], aggregates=["mean", "ci(0.5)"])._repr_html_()
    assert '<span class="best">0.5000</span> <span class="interval">± 0.2874</span>' in page
    assert "rr ci(0.5)</th>" not in page
    assert "user_coverage@1</th>" in page


def test_the_account_is_folded_in_a_notebook_and_a_warning_is_not() -> None:
    page = TextTable.of_rows(["n"], [{"n": 1}]).as_html(["Warning: few lists", "lists: 3"])
    assert "<p>Warning: few lists</p>" in page
    assert "<details><summary>Account</summary><ul><li>lists: 3</li></ul></details>" in page


def test_the_best_of_each_column_stands_out_on_a_terminal() -> None:
    screen = StringIO()
    Console(file=screen, force_terminal=True, color_system="standard", width=200).print(named("z", "y"))
    assert [line.count("\x1b[1;32m") for line in screen.getvalue().splitlines()[2:4]] == [2, 0]


def test_a_console_too_narrow_for_a_table_counts_the_rows_that_it_leaves_out() -> None:
    screen, rows = StringIO(), [{"user": f"a long name of user {n}", "rr": 0.5} for n in range(32)]
    Console(file=screen, width=12).print(TextTable.of_rows(["user", "rr"], rows, n_keys=1))
    assert screen.getvalue().split()[-4:] == ["and", "2", "more", "rows"]


def test_a_text_is_the_same_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich writes into the output of the cell there, so that the table stood twice and the text was empty."""
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    expected = repr(result)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "hit@1" in expected
    assert repr(result) == expected


# --- frames and text --------------------------------------------------------------------------------------------------


def test_a_frame_of_pandas_holds_what_collect_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"])
    assert_frame_equal(pl.from_pandas(result.to_pandas()), result.collect())
    of_lists = pl.from_pandas(result.to_pandas(per_list=True))
    assert_frame_equal(of_lists, result.collect(per_list=True), check_row_order=False)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with refusal(rm.InputError, "pip install 'rankmetrics-sql[pandas]'"):
        result.to_pandas()


def test_every_answer_is_a_frame_of_pandas_and_folders_of_partitions(tmp_path: Path) -> None:
    result = rm.evaluate(RECS, TRUTH, "rr")
    comparison, segments = result.compare("a"), result.segments({"user": rm.buckets("n_relevant", 2)})
    trace, gate = result.trace(user=1, algorithm="a"), rm.gate(result, minimum={"rr": 0.1})
    for answer in (comparison, segments, trace, gate, result.worst("rr")):
        assert answer.to_pandas().shape == answer.collect().shape, answer
    comparison.write(tmp_path, partition_by=["metric"])
    assert len(pl.read_parquet(tmp_path / "metric=rr" / "*.parquet")) == 1
    with refusal(rm.ColumnError, "partition_by names 'metrik'", "Did you mean 'metric'?"):
        comparison.write(tmp_path, partition_by="metrik")


def test_a_column_comes_with_its_systems_and_an_unknown_one_or_form_is_refused() -> None:
    result = rm.evaluate(RECS, TRUTH, ["rr", "hit@1"], aggregates=["mean", "median"])
    assert result["hit@1"].columns == ["algorithm", "hit@1"]
    assert result["rr median"].rows() == [("a", 0.5), ("b", 0.0)]
    with refusal(rm.MetricError, "Did you mean 'hit@1'"):
        result["hit@10"]
    with refusal(rm.InputError, "There is no form 'html'"):
        result.to_text("html")


@pytest.mark.long
def test_every_form_is_checked_as_collect_is() -> None:
    result = rm.evaluate(RECS, TRUTH.with_columns(pl.col("user") + 10), "rr")
    for form in ("table", "markdown", "latex", "csv", "json", "jsonl"):
        with refusal(rm.DataError, "No list is in both", case=form):
            result.to_text(form)
    for compute in (rm.Result.to_pandas, lambda result: result["rr"]):
        with refusal(rm.DataError, "No list is in both"):
            compute(result)


def test_csv_and_json_keep_every_digit_and_say_what_was_requested() -> None:
    result = rm.evaluate(RECS, TRUTH, {"first": "rr@5"}, aggregates=["mean", "ci(0.5)"])
    assert_frame_equal(pl.read_csv(StringIO(result.to_text("csv"))), result.collect())
    assert [json.loads(line) for line in result.to_text("jsonl").splitlines()] == result.collect().to_dicts()
    request = json.loads(result.to_text("json"))["request"]
    assert request["metrics"] == {"first": "rr@5"}
    assert request["aggregates"] == ["mean", "ci(0.5)"]
    assert (request["lists"], request["truth_lists"]) == (["algorithm", "user"], ["user"])
    assert request["columns"]["truth"] == {"item": "item", "rating": "rating"}
    undefined = rm.evaluate(RECS, TRUTH.with_columns(rating=0.0), "rr")
    assert [row["rr"] for row in json.loads(undefined.to_text("json"))["summary"]] == [None, None]


def test_latex_and_markdown_escape_names_and_mark_the_best() -> None:
    rows: list[dict[str, object]] = [{"a|b_c": "50% & <x>\\ #1", "v": 0.5}, {"a|b_c": "y", "v": None}]
    table = TextTable.of_rows(["a|b_c", "v"], rows, best_of={"v": max})
    latex, markdown = table.as_latex().splitlines(), table.as_markdown().splitlines()
    assert latex[2] == r"a|b\_c & v \\"
    assert latex[4:6] == [r"50\% \& $<$x>\textbackslash{} \#1 & \textbf{0.5000} \\", r"y & -- \\"]
    assert markdown[0] == r"| a\|b\_c | v |"
    assert markdown[2:] == [r"| 50% & \<x\>\\ #1 | **0.5000** |", "| y | – |"]
    assert "**" not in TextTable.of_rows(["v"], rows[:1], best_of={"v": max}).as_markdown()  # nothing to be better than


def test_no_word_and_no_number_is_broken_at_the_widths_of_terminals() -> None:
    result = rm.evaluate(RECS_PATH, TRUTH_PATH, ["ndcg@10", "recall@10"], by="algorithm")
    comparison = result.compare(tests=("t", "wilcoxon"))
    metrics = [(metric.name, metric.summary) for metric in catalog().metrics()]
    tables: dict[str, Any] = {
        "leaderboard": result,
        "pairs": comparison,
        "gate": rm.gate(result, minimum={"ndcg@10": 0.2}),
        "metrics": TextTable.of_texts(("metric", "what it is"), metrics),
    }
    for (name, table), width in product(tables.items(), (60, 80, 120)):
        console = Console(file=StringIO(), width=width, force_terminal=False, no_color=True)
        console.print(table)
        lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
        assert max(map(len, lines)) <= width, name
        words = {*re.split(r"[\s│┃━╇]+", "\n".join(lines))}
        assert {*re.split(r"[\s│┃━╇]+", as_text(table))} <= words, name


def test_segments_are_in_the_order_of_a_leaderboard_with_the_best_of_each_marked() -> None:
    result = named("z", "y", "x")
    users = pl.DataFrame({"user": [1, 2, 3], "gender": ["f", "f", "f"]})
    segments = result.segments({"gender": users})
    assert segments.collect()["algorithm"].to_list() == result.collect()["algorithm"].to_list()
    first, *_ = segments._tables()[0].rows
    assert first[-1].mark == "best"
