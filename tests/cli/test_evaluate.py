"""`rankmetrics evaluate`: what it prints and writes, by every option."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from tests.support.commands import RECS, TRUTH, column, printed, refused, run, table, written


def test_evaluate_prints_the_numbers_of_the_python_call() -> None:
    metrics = ["ndcg(gain=linear)@10", "recall@5", "recall@10", "rr"]
    rows = table(printed("evaluate", RECS, TRUTH, "-m", metrics[0], "-m", "recall@5,10", "-m", "rr"))
    collected = rm.evaluate(RECS, TRUTH, metrics).collect().sort(metrics[0], descending=True)
    assert [list(row) for row in rows] == [["algorithm", "n_lists", "n_missing", *metrics]] * 3
    assert [row["algorithm"] for row in rows] == collected["algorithm"].to_list()
    assert [row["n_lists"] for row in rows] == ["998"] * 3
    for name in metrics:
        assert [row[name] for row in rows] == [f"{one:.4f}" for one in collected[name]]


def test_evaluate_prints_what_the_result_prints() -> None:
    lines = printed("evaluate", RECS, TRUTH, "-m", "ndcg@10").splitlines()
    assert [line.rstrip() for line in lines] == repr(rm.evaluate(RECS, TRUTH, "ndcg@10")).splitlines()


def test_evaluate_takes_a_glob_and_a_folder(tmp_path: Path) -> None:
    for part in (1, 2):
        pl.read_parquet(RECS).filter(pl.col("partition") == part).write_parquet(tmp_path / f"{part}.parquet")
    whole = printed("evaluate", RECS, TRUTH, "-m", "hit@10")
    assert printed("evaluate", tmp_path, TRUTH, "-m", "hit@10") == whole
    assert printed("evaluate", tmp_path / "*.parquet", TRUTH, "-m", "hit@10") == whole


READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    "csv": pl.read_csv,
    "json": pl.read_json,
    "parquet": pl.read_parquet,
}


@pytest.mark.parametrize("end", READERS)
def test_an_output_file_holds_what_collect_returns(tmp_path: Path, end: str) -> None:
    path = tmp_path / f"out.{end}"
    written("evaluate", RECS, TRUTH, "-m", "ndcg@10", "-m", "hit@5", "-o", path)
    assert_frame_equal(READERS[end](path), rm.evaluate(RECS, TRUTH, ["ndcg@10", "hit@5"]).collect())
    assert os.listdir(tmp_path) == [path.name]  # noqa: PTH208  # hidden files, too


@pytest.mark.parametrize("end", READERS)
def test_an_output_file_holds_one_row_per_list_where_asked(tmp_path: Path, end: str) -> None:
    path = tmp_path / f"out.{end}"
    written("evaluate", RECS, TRUTH, "-m", "ndcg@10", "--output", path, "--per-list")
    collected = rm.evaluate(RECS, TRUTH, "ndcg@10").collect(per_list=True)
    ids = ["partition", "algorithm", "user"]
    assert_frame_equal(READERS[end](path).sort(ids), collected.sort(ids), check_dtypes=False)


@pytest.mark.parametrize("end", ["jsonl", "ndjson"])
def test_an_output_file_of_json_lines_holds_one_object_per_line(folder: Path, end: str) -> None:
    written("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "-o", folder / f"out.{end}")
    assert pl.read_ndjson(folder / f"out.{end}").columns == ["algorithm", "n_lists", "n_missing", "hit@1"]


def test_an_output_file_of_tab_separated_values_is_separated_by_tabs(folder: Path) -> None:
    written("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "-o", folder / "out.tsv")
    assert (folder / "out.tsv").read_text().splitlines()[0] == "algorithm\tn_lists\tn_missing\thit@1"


def test_per_list_prints_a_row_for_every_list(folder: Path) -> None:
    rows = table(printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--per-list"))
    assert {(row["algorithm"], row["user"]): row["hit@1"] for row in rows} == {
        ("a", "u1"): "1.0",
        ("a", "u2"): "0.0",
        ("a", "u3"): "0.0",
        ("b", "u1"): "0.0",
        ("b", "u2"): "0.0",
        ("b", "u3"): "0.0",
    }


def test_per_list_prints_a_dash_for_what_is_undefined(folder: Path) -> None:
    metric = "hit(rel=5)@1"
    rows = table(printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", metric, "--per-list"))
    assert {row["user"]: row[metric] for row in rows if row["algorithm"] == "a"} == {"u1": "1.0", "u2": "–", "u3": "–"}


def test_by_says_what_the_summary_keeps() -> None:
    rows = table(printed("evaluate", RECS, TRUTH, "-m", "hit@5", "--by", "partition", "--by", "algorithm"))
    assert len(rows) == 6
    assert list(rows[0]) == ["partition", "algorithm", "n_lists", "n_missing", "hit@5"]


def test_overall_is_one_row() -> None:
    assert [row["n_lists"] for row in table(printed("evaluate", RECS, TRUTH, "-m", "hit@5", "--overall"))] == ["2994"]


def test_overall_and_by_contradict_each_other() -> None:
    code, out, err = run("evaluate", RECS, TRUTH, "-m", "hit@5", "--overall", "--by", "partition")
    assert (code, out) == (2, "")
    assert "--by" in err


def test_list_leaves_out_columns_that_identify_nothing(folder: Path) -> None:
    noted = pl.read_csv(folder / "recs.csv").with_columns(note=pl.Series(["p", "q", "r", "s", "t"]))
    noted.write_csv(folder / "noted.csv")
    out = printed(
        "evaluate", folder / "noted.csv", folder / "truth.csv", "-m", "hit@1", "--list", "algorithm", "--list", "user"
    )
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}


def test_truth_list_says_which_columns_the_truth_shares(folder: Path) -> None:
    pl.read_csv(folder / "truth.csv").with_columns(algorithm=pl.lit("?")).write_csv(folder / "truth.csv")
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--truth-list", "user")
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}


def test_columns_of_any_name_may_play_any_role(folder: Path) -> None:
    recs = pl.read_csv(folder / "recs.csv").rename({"item": "sku", "score": "belief"})
    recs.write_csv(folder / "recs.csv")
    truth = pl.read_csv(folder / "truth.csv").rename({"item": "bought", "rating": "stars"})
    truth.write_csv(folder / "truth.csv")
    roles = ["--item", "sku", "--score", "belief", "--truth-item", "bought", "--rating", "stars"]
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", *roles, "-m", "hit(rel=4)@1", "-m", "hit@2")
    assert column(out, "hit(rel=4)@1") == {"a": "1.0000", "b": "0.0000"}
    assert column(out, "hit@2") == {"a": "0.6667", "b": "0.0000"}


def test_item_names_the_column_of_both_tables(folder: Path) -> None:
    for name in ("recs", "truth"):
        pl.read_csv(folder / f"{name}.csv").rename({"item": "sku"}).write_csv(folder / f"{name}.csv")
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "--item", "sku", "-m", "hit@2")
    assert column(out, "hit@2") == {"a": "0.6667", "b": "0.0000"}


def test_rank_orders_the_list(folder: Path) -> None:
    ranked = pl.read_csv(folder / "recs.csv").drop("score").with_columns(place=pl.Series([2, 1, 1, 2, 1]))
    ranked.write_csv(folder / "ranked.csv")
    out = printed("evaluate", folder / "ranked.csv", folder / "truth.csv", "--rank", "place", "-m", "hit@1")
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert column(out, "n_lists") == {"a": "3", "b": "3"}


def test_missing_skip_leaves_out_lists_without_recommendations(folder: Path) -> None:
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--missing", "skip")
    assert column(out, "hit@1") == {"a": "0.5000", "b": "0.0000"}
    assert column(out, "n_lists") == {"a": "2", "b": "1"}


@pytest.mark.parametrize(("ties", "hit"), [("item", "0.3333"), ("item_desc", "0.6667"), ("input", "0.6667")])
def test_ties_says_what_stands_first_among_equal_scores(folder: Path, ties: str, hit: str) -> None:
    out = printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--ties", ties)
    assert column(out, "hit@1")["a"] == hit


def test_duplicates_error_refuses_repeats_that_count_only_counts(folder: Path) -> None:
    truth = pl.read_csv(folder / "truth.csv")
    pl.concat([truth, truth[:1]]).write_csv(folder / "truth.csv")
    command = ["evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1"]
    assert "1 row of the truth with an item that their list has already;" in printed(*command)
    assert "1 row of the truth" in refused(*command, "--duplicates", "error")


def test_define_takes_in_a_metric_from_a_file(folder: Path) -> None:
    (folder / "own.sql").write_text("-- cli_twice: twice the hits\nSELECT 2.0 * n_hits AS cli_twice FROM metrics")
    command = [folder / "recs.csv", folder / "truth.csv", "-m", "cli_twice@1", "-m", "hit@1"]
    out = printed("evaluate", *command, "--define", folder / "own.sql")
    assert column(out, "cli_twice@1") == {"a": "0.6667", "b": "0.0000"}
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert '"cli_twice@1"' in printed("sql", *command, "--define", folder / "own.sql")
    assert "twice the hits" in printed("metrics", "--define", folder / "own.sql")


def test_database_lets_tables_be_named(folder: Path) -> None:
    with duckdb.connect(str(folder / "world.duckdb")) as connection:
        connection.execute("CREATE SCHEMA s")
        connection.execute(f"CREATE TABLE s.recs AS FROM '{folder / 'recs.csv'}'")
        connection.execute(f"CREATE VIEW truth AS FROM '{folder / 'truth.csv'}'")
    command = ["s.recs", "truth", "-m", "hit@1", "--database", folder / "world.duckdb"]
    assert column(printed("evaluate", *command), "hit@1") == {"a": "0.3333", "b": "0.0000"}
    assert printed("check", *command).startswith("lists: algorithm, user; the truth has user\n")
    assert 'FROM "s"."recs"' in printed("sql", *command)


def test_database_reads_files_beside_tables(folder: Path) -> None:
    with duckdb.connect(str(folder / "world.duckdb")) as connection:
        connection.execute(f"CREATE TABLE recs AS FROM '{folder / 'recs.csv'}'")
    out = printed("evaluate", "recs", folder / "truth.csv", "-m", "hit@1", "--database", folder / "world.duckdb")
    assert column(out, "hit@1") == {"a": "0.3333", "b": "0.0000"}


def test_memory_and_threads_reach_duckdb(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configs: list[dict[str, Any]] = []
    connect = duckdb.connect

    def spy(*arguments: Any, **options: Any) -> duckdb.DuckDBPyConnection:
        configs.append(options.get("config", {}))
        return connect(*arguments, **options)

    monkeypatch.setattr(duckdb, "connect", spy)
    limits = ["--memory-limit", "1GB", "--threads", "1"]
    printed("evaluate", folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", *limits)
    assert [(one.get("memory_limit"), one.get("threads")) for one in configs] == [("1GB", 1)]
