"""`rankmetrics check`, `sql`, `metrics`, `conventions`, `demo`, `dbt` and the help."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics._files import data_folder
from rankmetrics.cli.flags import complete_dialect, complete_metric
from rankmetrics.dialects.base import DIALECTS
from rankmetrics.errors import names
from rankmetrics.metrics.conventions import CONVENTIONS, find
from tests.support.commands import RECS, TRUTH, by_hand, column, printed, refused, run, table
from tests.support.conventions import PRECISION
from tests.support.conventions import RECS as MEASURED
from tests.support.conventions import TRUTH as RELEVANT
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


def test_check_accepts_what_evaluate_accepts(folder: Path) -> None:
    pl.read_csv(folder / "recs.csv").drop("score").write_csv(folder / "recs.csv")
    command = [folder / "recs.csv", folder / "truth.csv", "-m", "hit@1", "--ties", "input"]
    printed("evaluate", *command)
    assert printed("check", *command).startswith("lists: algorithm, user; the truth has user\n")


def test_sql_of_files_runs_in_duckdb_as_it_is() -> None:
    text = printed("sql", RECS, TRUTH, "-m", "ndcg@10", "-m", "rr")
    assert_frame_equal(by_hand(text), means(rm.evaluate(RECS, TRUTH, ["ndcg@10", "rr"])))
    whole = printed("sql", RECS, TRUTH, "-m", "rr", "--overall")
    assert by_hand(whole).columns == ["n_lists", "rr"]
    lists = printed("sql", RECS, TRUTH, "-m", "rr", "--per-list")
    assert by_hand(lists).columns == ["partition", "algorithm", "user", "rr"]


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
    for one in ('FROM "WH"."R"', 'FROM "WH"."T"', '"SKU"', '"BOUGHT"', '"S"'):
        assert one in text


def test_sql_refuses_tables_without_list_columns_and_a_dialect_that_is_none() -> None:
    message = refused("sql", "db.recs", "db.truth", "-m", "hit@10", "--dialect", "snowflake")
    assert "'db.recs' is no file" in message
    assert "--list" in message
    message = refused("sql", RECS, TRUTH, "-m", "rr", "--dialect", "snowflak")
    assert f"there are {names(DIALECTS)}. Did you mean 'snowflake'?" in message


def test_metrics_lists_them_all() -> None:
    rows = table(printed("metrics"))
    assert [row["metric"] for row in rows] == rm.list_metrics()["metric"].to_list()
    assert [row["what it is"] for row in rows] == rm.list_metrics()["summary"].to_list()
    assert column(printed("metrics"), "parameters")["recall"] == "divisor, rel, k"


def test_metrics_explains_one_and_lists_the_counts_of_the_account() -> None:
    assert printed("metrics", "ndcg@10").strip() == str(rm.explain("ndcg@10"))
    rows = table(printed("metrics", "--account"))
    assert [list(row) for row in rows] == [["count", "what it is"]] * len(rows)
    assert {"lists_scored", "lists_missing", "truth_repeated"} <= {row["count"] for row in rows}
    assert "Did you mean 'ndcg'?" in refused("metrics", "ndgc")


def test_demo_prints_the_sample_and_the_command_that_prints_it() -> None:
    rows = table(printed("demo"))
    assert [row["algorithm"] for row in rows] == ["matrix-factorisation", "item-knn", "popular"]
    assert [row["ndcg@10"] for row in rows] == ["0.3027", "0.2614", "0.1284"]
    command = printed("demo").partition("\n\n")[0].replace("\\\n", "").removeprefix("$ rankmetrics ").split()
    assert table(printed(command[0], RECS, TRUTH, *command[3:])) == rows


def test_every_command_has_a_help_page() -> None:
    for command in ("evaluate", "check", "sql", "split", "metrics", "demo"):
        assert f"rankmetrics {command}" in printed(command, "--help").replace("root", "rankmetrics")
        assert command in printed("--help")
    assert "evaluate" in "".join(map(str, run()[1:]))
    assert printed("--version") == f"rankmetrics {rm.__version__}\n"


def test_completion_offers_metrics_and_dialects() -> None:
    assert complete_metric("nd") == ["ndcg", "ndcg_at_levels", "ndcg_at_relevant"]
    assert complete_metric("MR") == ["MRR", "mrr"]
    assert set(rm.list_metrics()["metric"]) <= set(complete_metric(""))
    assert complete_dialect("s") == ["snowflake", "spark", "sqlite"]
    assert complete_dialect("") == sorted(DIALECTS)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    MEASURED.write_csv(tmp_path / "recs.csv")
    RELEVANT.write_csv(tmp_path / "truth.csv")
    return tmp_path / "recs.csv", tmp_path / "truth.csv"


def test_the_command_lists_the_conventions() -> None:
    rows = table(printed("conventions"))
    assert [row["convention"] for row in rows] == [one.name for one in CONVENTIONS]
    assert [row["library"] for row in rows] == [one.what for one in CONVENTIONS]


def test_the_command_explains_a_convention() -> None:
    for convention in (find("replay"), find("trec_eval"), find("sklearn")):
        lines = printed("conventions", convention.name).splitlines()
        assert lines[0] == f"{convention.name}: {convention.what}"
        assert [line for line in lines if line.startswith("- ")] == [f"- {one}" for one in convention.notes]
        for theirs, ours in convention.spellings.items():
            assert [theirs, ours] in [line.split(maxsplit=1) for line in lines]
        for name, value in convention.policies.items():
            assert [line for line in lines if line.startswith(f"{name} = {value}: ")]
    assert printed("conventions", "trec") == printed("conventions", "trec_eval")
    assert "also called: 'trec' and 'pytrec_eval'" in printed("conventions", "trec")


def test_the_command_says_what_is_not_measured() -> None:
    assert "\nnot measured: label_ranking_average_precision_score, " in printed("conventions", "sklearn")
    assert printed("conventions", "rankmetrics").strip() == "rankmetrics: rankmetrics itself"
    assert "rbp(convention=rankmetrics)" in refused("conventions", "rbp(convention=capri)")


def test_the_command_compares_a_metric(files: tuple[Path, Path]) -> None:
    text = printed("conventions", "precision@4", *files)
    lines = text.splitlines()
    named = re.findall(r"[\w.-]+", " ".join(line.split("│")[0] for line in lines[2 : lines.index("")]))
    assert {*named} == {"rankmetrics", *PRECISION}
    values = [line.split("│")[2].strip() for line in lines[2 : lines.index("")]]
    assert {*filter(None, values)} == {f"{one:.4f}" for one in (1 / 6, *(one for _, one in PRECISION.values()))}
    assert lines[-1] == "implicit, polars_ds, sklearn: has no precision"


def test_the_command_needs_the_truth_to_compare(files: tuple[Path, Path]) -> None:
    said = refused("conventions", "precision@4", files[0])
    assert said == "Give the truth, too: rankmetrics conventions METRIC RECS TRUTH."


def test_the_command_line_takes_aggregates(files: tuple[Path, Path]) -> None:
    command = ("evaluate", *files, "-m", "precision@4", "-m", "rr")
    (row,) = table(printed(*command, "--aggregate", "median", "--aggregate", "n"))
    assert row == {
        "n_lists": "3",
        "n_missing": "1",
        "precision@4 median": "0.2500",
        "precision@4 n": "3",
        "rr median": "0.5000",
        "rr n": "3",
    }
    assert "Did you mean 'median'" in refused(*command, "--aggregate", "medain")


def test_the_sample_is_saved_as_it_ships(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    lines = printed("demo", "--save", folder).splitlines()
    assert [Path(line).name for line in lines] == ["history.parquet", "items.parquet", "recs.parquet", "truth.parquet"]
    for line in lines:
        assert Path(line).read_bytes() == (data_folder() / Path(line).name).read_bytes()
    assert {path.name for path in folder.iterdir()} == {Path(line).name for line in lines}
    assert printed("demo", "--save", folder).splitlines() == lines  # again, over the same files


def test_files_of_the_user_are_not_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "recs.parquet"
    mine.write_text("mine")
    assert refused("demo", "--save", tmp_path).startswith(f"There is another file '{mine}' already")
    assert mine.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["recs.parquet"]


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    for folder in ("file", "file/below"):
        assert refused("demo", "--save", tmp_path / folder).startswith("Cannot make the folder")


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
