"""`rankmetrics check`, `sql`, `metrics`, `conventions`, `demo`, `dbt` and the help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics._files import data_folder
from rankmetrics.cli.flags import complete_convention, complete_dialect, complete_form, complete_metric
from rankmetrics.metrics.conventions import CONVENTIONS, find
from tests.support.commands import RECS, TRUTH, by_hand, printed, refused, run, table
from tests.support.dbt_packages import GOOD
from tests.support.engines import means


def test_check_says_what_every_column_is_for_and_what_the_data_holds() -> None:
    lines = printed("check", RECS, TRUTH).splitlines()
    assert lines[:3] == [
        "lists: partition, algorithm, user; the truth has partition, user",
        "recommendations: item = item, score = score",
        "truth: item = item, rating = rating",
    ]
    assert lines[3:] == rm.evaluate(RECS, TRUTH, "hit").notes()


def test_sql_of_files_runs_in_duckdb_as_it_is() -> None:
    text = printed("sql", RECS, TRUTH, "-m", "ndcg@10", "-m", "rr")
    assert_frame_equal(by_hand(text), means(rm.evaluate(RECS, TRUTH, ["ndcg@10", "rr"])))


def test_sql_of_files_names_tables_for_elsewhere() -> None:
    text = printed("sql", RECS, TRUTH, "-m", "hit@5", "--dialect", "snowflake", "--recs-table", "wh.r")
    assert set(re.findall(r'FROM "(?:WH|TRUTH)".*', text)) == {'FROM "WH"."R" AS "RECS"', 'FROM "TRUTH"'}


def test_sql_of_tables_in_a_warehouse_looks_nothing_up() -> None:
    lists = ["--list", "algorithm", "--list", "user", "--truth-list", "user", "--truth-item", "item"]
    text = printed("sql", "db.recs", "db.truth", "-m", "hit@10", *lists, "--dialect", "snowflake")
    assert text.strip() == rm.to_sql(
        "db.recs",
        "db.truth",
        "hit@10",
        lists=["algorithm", "user"],
        truth_lists=["user"],
        truth_columns=rm.Columns(item="item"),
        dialect="snowflake",
    )
    named = ["--recs-table", "wh.r", "--truth-table", "wh.t", "--item", "sku", "--truth-item", "bought", "--score", "s"]
    text = printed("sql", "db.recs", "db.truth", "-m", "hit@10", *lists, *named, "--dialect", "snowflake")
    assert '"DB"' not in text
    for name in ('FROM "WH"."R"', 'FROM "WH"."T"', '"SKU"', '"BOUGHT"', '"S"'):
        assert name in text


def test_metrics_lists_them_all() -> None:
    rows = table(printed("metrics"))
    assert [row["metric"] for row in rows] == rm.list_metrics()["metric"].to_list()
    assert [row["what it is"] for row in rows] == rm.list_metrics()["summary"].to_list()


def test_metrics_explains_one_and_lists_the_counts_of_the_account() -> None:
    assert printed("metrics", "ndcg@10").strip() == str(rm.explain("ndcg@10"))
    rows = table(printed("metrics", "--account"))
    assert [list(row) for row in rows] == [["count", "what it is"]] * len(rows)
    assert {"lists_scored", "lists_missing", "truth_repeated"} <= {row["count"] for row in rows}
    assert "Did you mean 'ndcg'?" in refused("metrics", "ndgc")


def test_demo_prints_the_sample_and_the_command_that_prints_it() -> None:
    text = printed("demo")
    rows = table(text)
    assert [row["algorithm"] for row in rows] == ["matrix-factorisation", "item-knn", "popular"]
    assert [row["ndcg@10"] for row in rows] == ["0.3027", "0.2614", "0.1284"]
    assert text.startswith(
        "$ rankmetrics evaluate data/recs.parquet data/truth.parquet \\\n    -m ndcg@10 -m recall@10"
    )


def test_every_command_has_a_help_page() -> None:
    overview = printed("--help")
    for command in ("evaluate", "check", "sql", "split", "metrics", "demo", "gate", "run", "rank", "dbt"):
        assert command in overview
        assert command in printed(command, "--help")
    assert "evaluate" in "".join(map(str, run()[1:]))
    assert printed("--version") == f"rankmetrics {rm.__version__}\n"


def test_completion_offers_names() -> None:
    assert complete_metric("nd") == ["ndcg", "ndcg_at_levels", "ndcg_at_relevant"]
    assert complete_metric("MR") == ["MRR", "mrr"]
    assert complete_dialect("s") == ["snowflake", "spark", "sqlite"]
    assert complete_form("in") == ["incremental"]
    assert complete_convention("tr") == ["trec_eval"]


def test_the_command_lists_the_conventions() -> None:
    rows = table(printed("conventions"))
    assert [row["convention"] for row in rows] == [convention.name for convention in CONVENTIONS]
    assert [row["library"] for row in rows] == [convention.what for convention in CONVENTIONS]


def test_the_command_explains_a_convention() -> None:
    convention = find("trec_eval")
    lines = printed("conventions", "trec").splitlines()
    assert lines[0] == f"trec_eval: {convention.what}"
    assert "also called: 'trec' and 'pytrec_eval'" in lines
    assert [line for line in lines if line.startswith("- ")] == [f"- {note}" for note in convention.notes]
    for theirs, ours in convention.spellings.items():
        assert [theirs, ours] in [line.split(maxsplit=1) for line in lines]
    for name, value in convention.policies.items():
        assert [line for line in lines if line.startswith(f"{name} = {value}: ")]


def test_the_command_says_what_is_not_measured() -> None:
    assert "\nnot measured: label_ranking_average_precision_score, " in printed("conventions", "sklearn")
    assert printed("conventions", "rankmetrics").strip() == "rankmetrics: rankmetrics itself"
    assert "rbp(convention=rankmetrics)" in refused("conventions", "rbp(convention=capri)")


def test_the_command_compares_a_metric(folder: Path) -> None:
    files = folder / "recs.csv", folder / "truth.csv"
    text = printed("conventions", "precision@4", *files, "--convention", "ranx")
    assert text == f"{rm.compare_conventions('precision@4', *files, conventions='ranx')}\n"
    message = refused("conventions", "precision@4", files[0])
    assert message == "Give the truth, too: rankmetrics conventions METRIC RECS TRUTH."


def test_the_sample_is_saved_as_it_ships(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    lines = printed("demo", "--save", folder).splitlines()
    assert [Path(line).name for line in lines] == ["history.parquet", "items.parquet", "recs.parquet", "truth.parquet"]
    for line in lines:
        assert Path(line).read_bytes() == (data_folder() / Path(line).name).read_bytes()
    assert {path.name for path in folder.iterdir()} == {Path(line).name for line in lines}
    assert printed("demo", "--save", folder).splitlines() == lines  # again, over the same files


def test_a_sample_that_cannot_be_saved_is_refused_and_files_of_the_user_stay(tmp_path: Path) -> None:
    own = tmp_path / "recs.parquet"
    own.write_text("own")
    assert refused("demo", "--save", tmp_path).startswith(f"There is another file '{own}' already")
    assert own.read_text() == "own"
    assert [*tmp_path.iterdir()] == [own]
    assert refused("demo", "--save", own / "below").startswith("Cannot make the folder")


def test_the_command_init_says_what_it_wrote_and_what_to_do_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    code, out, err = run("dbt", "init")
    assert (code, err) == (0, "")
    assert out.startswith("wrote rankmetrics/dbt_project.yml\nwrote rankmetrics/leaderboards.yml\n")
    assert out.endswith("\nName it in packages.yml, then run dbt deps:\n\npackages:\n  - local: rankmetrics\n")


@pytest.mark.long
def test_the_command_write_says_what_it_wrote_and_removed(package: Path) -> None:
    text = (package / "leaderboards.yml").read_text()
    (package / "leaderboards.yml").write_text(text.replace("accuracy:", "quality:"))
    code, out, _ = run("dbt", "write", package)
    assert code == 0
    assert f"wrote {package / 'models/quality.sql'}\n" in out
    assert f"removed {package / 'models/accuracy.sql'}\n" in out


@pytest.mark.long
def test_the_command_write_refuses_in_a_sentence(package: Path) -> None:
    (package / "leaderboards.yml").write_text(GOOD.replace("hit@10", "ndgc@10"))
    code, out, err = run("dbt", "write", package)
    assert (code, out) == (2, "")
    assert re.match(r"Error: .*leaderboards.yml, leaderboard 'one': There is no metric 'ndgc'. Did you mean", err)


def test_the_files_of_a_glob_without_quotes_are_refused_with_the_cure() -> None:
    message = refused("evaluate", "a.parquet", "b.parquet", "truth.parquet", "-m", "hit")
    assert "If these are the files of a glob, put it in quotes" in message


def test_a_kind_of_metrics_is_not_a_metric_and_names_them() -> None:
    assert "'novelty', but several of this kind: efd, epc," in refused("metrics", "novelty@10")
