"""`rankmetrics audit`, `compare`, `segments`, `trace`, `worst` and `report`."""

from __future__ import annotations

import io
import json
from inspect import signature
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from docs.tooling.html_pages import Page
from rankmetrics._files import data_folder
from rankmetrics.cli.flags import complete_segments
from tests.reports.conftest import without_charts as without_charts
from tests.support import two_systems as small
from tests.support.commands import RECS, TRUTH, app_command, printed, refused, run, table, written

METRICS = ("-m", "ndcg@10", "-m", "recall@10")


def test_compare_prints_letters_pairs_and_notes() -> None:
    text = printed("compare", RECS, TRUTH, *METRICS, "--baseline", "popular", "--test", "t", "--test", "wilcoxon")
    lines = [line.split() for line in text.splitlines()]
    assert ["a", "│", "popular", "│", "0.1284", "│", "0.1185"] in lines
    assert ["c", "│", "matrix-factorisation", "│", "0.3027ᵃ", "│", "0.2460ᵃ"] in lines
    assert "+0.1743 (+135.8%)" in text
    assert "p (wilcoxon)" in text
    assert "p-values are corrected for the 2 tests of a metric: Holm" in text
    assert run("compare", RECS, TRUTH, "-m", "rr", "--as", "latex")[1].startswith("\\begin{table}\n")


def test_compare_measures_preferences_over_the_system_that_is_the_baseline() -> None:
    text = printed("compare", RECS, TRUTH, "-m", "rpp@10", "-m", "lexirecall@10", "--baseline", "popular")
    lines = [line.split() for line in text.splitlines()]
    assert ["a", "│", "popular", "│", "0.0000", "│", "0.0000"] in lines
    assert ["c", "│", "matrix-factorisation", "│", "0.1775ᵃ", "│", "0.6263ᵃ"] in lines
    assert "needs baseline" in refused("compare", RECS, TRUTH, "-m", "rpp@10").replace("--", "")


def test_compare_takes_two_files_of_values_per_list(tmp_path: Path) -> None:
    values = pl.read_parquet(RECS).filter(pl.col("partition") == 1)
    for algorithm, rows in values.group_by("algorithm"):
        result = rm.evaluate(rows.drop("algorithm"), TRUTH, ["ndcg@10"], lists=["partition", "user"])
        result.write(tmp_path / f"{algorithm[0]}.csv", per_list=True)
    files = tmp_path / "popular.csv", tmp_path / "item-knn.csv"
    assert "corrected" not in written("compare", "--per-list", *files, "-o", tmp_path / "out.csv")
    compared = pl.read_csv(tmp_path / "out.csv")
    assert compared.select("baseline", "system").rows() == [("popular", "item-knn")]


def test_compare_has_the_options_of_python_with_their_defaults() -> None:
    command = app_command().commands["compare"]
    flags = {parameter.name.removeprefix("statistics_"): parameter.default for parameter in command.params}
    options = {name: option.default for name, option in signature(rm.Result.compare).parameters.items()}
    options |= {"tests": None, "self": None}  # a flag that can be repeated has no default, and `compare` takes t then
    assert {name: flags.get(name) for name in options} == options


def test_agreement_prints_how_alike_metrics_or_runs_order_the_systems(tmp_path: Path) -> None:
    (first, second) = table(printed("agreement", RECS, TRUTH, *METRICS, "--by", "algorithm"))
    assert first == {
        "metric": "ndcg@10", "other_metric": "recall@10", "n_systems": "3", "kendall_tau": "1", "tau_ap": "1"
    }  # fmt: skip
    assert second["metric"] == "recall@10"
    written("evaluate", RECS, TRUTH, "-m", "ndcg@10", "--by", "algorithm", "-o", tmp_path / "before.csv")
    flags = ("--by", "algorithm", "--other", str(tmp_path / "before.csv"))
    (row,) = table(printed("agreement", RECS, TRUTH, *METRICS, *flags))
    assert (row["metric"], row["other_metric"]) == ("ndcg@10", "ndcg@10")
    alone = refused("agreement", RECS, TRUTH, "-m", "ndcg@10", "--by", "algorithm")
    assert "or the summary of another run: --other last_month.parquet." in alone


def test_an_audit_fails_if_a_finding_is_an_error_and_writes_json_all_the_same(tmp_path: Path) -> None:
    history = str(data_folder() / "history.parquet")
    text = printed("audit", history, TRUTH, RECS, "-m", "ndcg@10")
    assert "lists_of_some_systems" in text
    assert "not looked for without a time in train and test: train_and_test_swapped, test_before_train" in text
    assert "The audit passed: 0 errors." in text
    code, out, err = run("audit", TRUTH, TRUTH, RECS, "--as", "json")
    assert code == 3
    rows = {row["finding"]: row for row in json.loads(out)}
    n_rows = pl.read_parquet(TRUTH).select("partition", "user", "item").n_unique()
    assert (rows["test_in_train"]["kind"], rows["test_in_train"]["n"]) == ("error", n_rows)
    assert "The audit failed: 1 error." in err
    assert "no column 'then'" in refused("audit", history, TRUTH, RECS, "--time", "then")


PEOPLE = f"SELECT * FROM '{TRUTH}' WHERE \"user\" % 10 = 3"


def test_correct_prints_or_writes_what_collect_returns(tmp_path: Path) -> None:
    command = ["correct", RECS, TRUTH, "-m", "ndcg@10", "--by", "algorithm", "--labels", PEOPLE]
    notes = written(*command, "--baseline", "popular", "--confidence", "0.9", "-o", tmp_path / "out.parquet")
    assert "this holds if the lists that people labelled are a random sample of all lists" in notes
    people = pl.read_parquet(TRUTH).filter(pl.col("user") % 10 == 3)
    result = rm.evaluate(RECS, TRUTH, "ndcg@10", by="algorithm")
    wanted = result.corrected(people, "popular", confidence=0.9).collect()
    assert_frame_equal(pl.read_parquet(tmp_path / "out.parquet"), wanted)
    assert "matrix-factorisation" in printed(*command)
    assert "--baseline is 'popula', and the systems are" in refused(*command, "--baseline", "popula")
    assert "nowhere.parquet" in refused(*command[:-1], "nowhere.parquet")


def test_compare_refuses_in_the_words_of_the_command_line() -> None:
    files = [RECS, TRUTH]
    refusals: list[tuple[list[object], str]] = [
        ([*files, "-m", "rr", "--baseline", "popula"], "--baseline is 'popula', and the systems are"),
        ([*files, "-m", "rr", "--test", "z"], "--test has no 'z'"),
        ([*files, "-m", "rr", "--cluster", "usr"], "--cluster names 'usr'"),
        ([*files], "Give recommendations, truth and a metric"),
        ([RECS, "-m", "rr"], "rr reads the truth, and none was given"),
        ([*files, "--per-list", "a.csv", "b.csv"], "--per-list names two files in place of RECS and TRUTH"),
        (["--per-list", "nowhere.csv", "b.csv"], "nowhere.csv"),
    ]
    for arguments, message in refusals:
        assert message in refused("compare", *arguments)


HISTORY = str(data_folder() / "history.parquet")


@pytest.fixture
def users(tmp_path: Path) -> str:
    """The users of the sample, half of them of each group, with a number."""
    path = tmp_path / "users.parquet"
    frame = pl.read_parquet(TRUTH).select("user").unique()
    frame.with_columns(group=(pl.col("user") % 2).cast(pl.String), age=pl.col("user")).write_parquet(path)
    return str(path)


def test_a_leaderboard_for_each_segment(users: str, tmp_path: Path) -> None:
    text = printed(
        "segments", RECS, TRUTH, "-m", "hit@10", "--history", HISTORY, "--by", "algorithm",
        "--segment", "cold", "-s", f"group={users}:group", "-s", f"age=buckets:{users}:age:2",
        "-s", "n=buckets:n_relevant:2",
    )  # fmt: skip
    rows = table(text)
    assert [(row["segmentation"], row["segment"], row["n_lists"]) for row in rows] == [("cold", "warm", "998")] * 3
    assert text.count("segmentation ┃") == 4
    assert "\ngroup        │ 0 " in text
    assert "\nage          │ 1 to " in text
    rows = table(printed("segments", RECS, TRUTH, "-m", "hit@10", "-s", f"group={users}:group", "--reversals"))
    assert [row["n_segments"] for row in rows] == ["2"] * 3
    gaps = ["segments", RECS, TRUTH, "-m", "hit@10", "-s", f"group={users}:group", "--gaps"]
    assert printed(*gaps, "-o", str(tmp_path / "gaps.csv")) == ""
    in_json = json.loads(printed(*gaps, "--as", "json"))
    assert {(row["metric"], row["n_segments"]) for row in in_json} == {("hit@10", 2)}
    assert pl.read_csv(tmp_path / "gaps.csv")["ratio"].to_list() == [row["ratio"] for row in in_json]
    assert [row["lowest"] for row in in_json] == ["0"] * 3


def test_flags_that_cannot_be_read(users: str) -> None:
    for segments, said in (
        (["colt"], "--segment 'colt' cannot be read: write a word (activity, popularity, cold)"),
        (["partition"], "A list column needs no segments: --by partition has a row for each of its values."),
        (["a=nothere.parquet:x"], "There is no file 'nothere.parquet'."),
        (["a=buckets:n_history:1"], "from 2 to 1000"),
        (["cold"], "evaluate with --history."),
        ([f"a={users}:group", f"a={users}:age"], "names 'a' twice"),
    ):
        flags = [flag for segment in segments for flag in ("--segment", segment)]
        assert said in refused("segments", RECS, TRUTH, "-m", "hit@10", *flags), segments
    both = refused("segments", RECS, TRUTH, "-m", "hit@10", "--segment", "cold", "--gaps", "--reversals")
    assert both == "--reversals and --gaps have one table each: give one of them."
    assert complete_segments("c") == ["cold"]


LIST = ("--list", "user=1", "--list", "partition=1", "--list", "algorithm=item-knn")


def test_trace_prints_the_list_and_the_formulas() -> None:
    text = printed("trace", RECS, TRUTH, "-m", "recall@5", *LIST)
    assert text.startswith("partition = 1, algorithm = item-knn, user = 1")
    assert "recall@5 = n_hits@5 / n_relevant = 4 / 20 = 0.2000" in text
    assert table(text)[0]["n_hits@5"] == "1 → 1"
    columns = ("--list", "algorithm", "--list", "partition", "--list", "user")
    assert printed("trace", RECS, TRUTH, "-m", "rr", *LIST, *columns).startswith("algorithm = item-knn, partition = 1")
    without_list = refused("trace", RECS, TRUTH, "-m", "rr")
    assert without_list.endswith("give some of 'partition', 'algorithm' and 'user', as in --list user=VALUE.")


def test_worst_prints_the_lists_that_lose_most() -> None:
    rows = table(printed("worst", RECS, TRUTH, "-m", "ndcg@5", "--against", "popular", "-n", "2", "--of", "item-knn"))
    assert [row["algorithm"] for row in rows] == ["item-knn"] * 2
    assert float(rows[0]["loss"]) >= float(rows[1]["loss"]) > 0
    assert "give -m once" in refused("worst", RECS, TRUTH, "-m", "ndcg@5,10")
    none = refused("worst", RECS, TRUTH, "-m", "ndcg@5", "-n", "0")
    assert none == "n must be a whole number from 1: 0 is not."


@pytest.mark.long
def test_analyses_are_printed_and_written_in_the_forms_of_evaluate(tmp_path: Path) -> None:
    answers = {
        "worst": ["-n", "1"],
        "segments": ["--by", "algorithm", "--history", HISTORY, "--segment", "activity"],
        "compare": ["--by", "algorithm"],
    }
    for name, flags in answers.items():
        words = [name, RECS, TRUTH, "-m", "rr", *flags]
        code, csv, notes = run(*words, "--as", "csv")
        assert code == 0
        rows = pl.read_csv(io.StringIO(csv))
        assert run(*words, "-o", tmp_path / "out.parquet") == (0, "", notes)
        assert pl.read_parquet(tmp_path / "out.parquet").columns == rows.columns
        run(*words, "-o", f"{tmp_path / 'out.duckdb'}::{name}")
        with duckdb.connect(str(tmp_path / "out.duckdb")) as connection:
            assert connection.execute(f"SELECT COUNT(*) FROM {name}").fetchall() == [(rows.height,)]
        assert run(*words, "--as", "markdown")[1].startswith("|")
        assert "There is no form 'html'" in refused(*words, "--as", "html")
    checks = json.loads(run("gate", RECS, TRUTH, "--min", "rr=0.01", "--as", "json")[1])
    assert {check["check"] for check in checks} == {"minimum"}


pytestmark = pytest.mark.usefixtures("without_charts")


def test_report_writes_a_page_with_the_flags_of_evaluate_and_its_own(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    of_evaluate = ["-m", "ndcg@10", "-m", "coverage@10", "--history", HISTORY, "--where", "user < 100"]
    own = ["--title", "Monday", "--baseline", "popular", "--segment", "activity=buckets:n_history:2"]
    assert written("report", RECS, TRUTH, *of_evaluate, *own, "-o", path).strip() == f"wrote {path}"
    words = Page(path.read_text(encoding="utf-8")).words
    assert words.startswith("Monday 3 systems, 2 metrics")
    assert "matrix-factorisation has the highest mean ndcg@10" in words
    assert "more than popular, the baseline" in words
    assert "activity matrix-factorisation item-knn popular n_lists" in words
    assert "where user < 100" in words
    assert "coverage@10 is over all values of partition, which --by does not name" in words


def test_baseline_takes_a_system_and_other_recommendations_have_their_own_flag(tmp_path: Path) -> None:
    path, recs, truth, others = (tmp_path / name for name in ("report.html", "recs.csv", "truth.csv", "others.csv"))
    small.RECS.write_csv(recs)
    small.TRUTH.write_csv(truth)
    small.RECS.filter(algorithm="b").drop("algorithm").write_csv(others)
    assert "'knn', and the systems are 'a' and 'b'" in refused(
        "report", recs, truth, "-m", "rr", "--baseline", "knn", "-o", path
    )
    assert not path.exists()
    assert "Arms are compared over their own lists, and the means" in (
        refused("report", recs, truth, "-m", "rr", "--unpaired", "-o", path)
    )
    arms = [
        "--unpaired",
        "--missing",
        "skip",
        "--share",
        "a=1",
        "--share",
        "b=1",
        "--margin",
        "5%",
        "--test",
        "bootstrap",
    ]
    written("report", recs, truth, "-m", "rr", *arms, "-o", path)
    words = Page(path.read_text(encoding="utf-8")).words
    assert "each over its own lists: bootstrap test, p-values corrected by Holm's method." in words
    assert "cannot rule out a loss larger than your margin of 5 %: 100 are needed" in words
    assert "end its name in .html" in refused("report", recs, truth, "-m", "rr", "-o", tmp_path / "report.pdf")
    written("report", recs, truth, "-m", "least_item_promoted@1", "--baseline-recs", others, "-o", path)
    assert f"baseline {others} lists by user" in Page(path.read_text(encoding="utf-8")).words
