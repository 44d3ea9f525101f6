"""Pages whose code is run from top to bottom; what it prints is compared with what the page shows."""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import rankmetrics as rm
from docs.tooling.page_code import blocks, blocks_with_outputs, run_code, sample_folder, shell_commands
from docs.tooling.page_code import commands as page_commands
from rankmetrics._logger import LOGGER
from rankmetrics.comparisons.statistics import TESTS
from rankmetrics.segments.segmentation import NUMBERS, WORDS
from rankmetrics.splits.methods import methods, parameters
from tests import ROOT
from tests.support.commands import run

pytestmark = pytest.mark.filterwarnings("ignore::rankmetrics.RankMetricsWarning")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of a reader, with the sample in data/."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(sample_folder(tmp_path))
    return tmp_path


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def follow(page: str) -> dict[str, Any]:
    """Run every block of Python; returns the names that they leave."""
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        run_code(block, page, names)
    assert names
    return names


@pytest.mark.long
def test_the_page_on_comparisons_shows_its_table_and_names_columns_and_tests() -> None:
    page, text = follow("docs/comparing.md"), text_of("docs/comparing.md")
    assert page["found"]["wins"].to_list() == [3]
    assert 'FROM "DB"."PER_LIST"' in page["sums"]
    assert "CREATE" in page["values"]
    shown = re.search(r"```\n(  ┃ system.*?)```", text, re.DOTALL)
    assert shown is not None
    printed = repr(page["result"].compare(metrics="ndcg@10"))
    assert [line.strip() for line in printed.splitlines()[:5]] == [line.strip() for line in shown[1].splitlines()]
    tests = [name for name in TESTS if name != "mcnemar"]  # neither metric has values of 0 and 1 only
    columns = page["result"].compare(tests=tests).collect().columns
    documented = {name for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"\w+", row)}
    assert {name for name in columns if not name.startswith("p_")} <= documented
    assert {*TESTS} <= {*re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)}


@pytest.mark.long
def test_lakehouses_page_runs_its_python_its_commands_and_ducklake() -> None:
    follow("docs/lakehouse.md")
    for words in page_commands("docs/lakehouse.md"):
        code, out, err = run(*words)
        assert (code, "version 0 of the Delta table 'lake/recs'" in out) == (0, True), err
    connection = duckdb.connect()
    try:
        connection.sql("SET autoinstall_known_extensions = false")
        connection.load_extension("ducklake")
    except duckdb.Error as error:
        pytest.skip(f"DuckDB's extension ducklake is not installed here: {error}")
    connection.sql("ATTACH 'ducklake:shop.ducklake' AS lake")
    for name in ("recs", "truth"):
        connection.sql(f"CREATE TABLE lake.{name} AS SELECT * FROM 'data/{name}.parquet'")
    before = connection.sql("SELECT MAX(snapshot_id) FROM ducklake_snapshots('lake')").fetchall()[0][0]
    expected = rm.evaluate("data/recs.parquet", "data/truth.parquet", "ndcg@10").collect()
    connection.sql("DELETE FROM lake.recs WHERE item % 2 = 0")
    *_, page = blocks("docs/lakehouse.md", "py")
    *_, now, old_version = [line for line in page.splitlines() if line.startswith("rm.")]
    names = {"rm": rm, "connection": connection}
    assert eval(now, names).collect().to_dicts() != expected.to_dicts()
    assert eval(old_version.replace("=> 2", f"=> {before}"), names).collect().to_dicts() == expected.to_dicts()


def test_the_page_on_judges_shows_its_table_and_names_every_column() -> None:
    page, text = follow("docs/judges.md"), text_of("docs/judges.md")
    corrected = page["result"].corrected(page["people"], "popular").collect()
    assert {*corrected.columns} - {"algorithm"} <= {*re.findall(r"`(\w+)`", text.partition("## Columns")[2])}
    for row, (true,) in zip(
        page["corrected"].collect().to_dicts(), page["true"].sort("algorithm").select("ndcg@10").rows(), strict=True
    ):
        people, means = (
            f"{row[mean]:.4f} ± {row[high] - row[mean]:.4f}"
            for mean, high in (("human_mean", "human_ci_high"), ("estimate", "ci_high"))
        )
        shown = [row["algorithm"], f"{row['judge_mean']:.4f}", people, means, f"{row['lambda']:.2f}", f"{true:.4f}"]
        assert f"| {' | '.join(shown)} |\n" in text
    assert "had labelled 152 to 196 lists" in " ".join(page["corrected"].notes())


def test_the_page_on_segments_has_every_number_and_every_word() -> None:
    segments = follow("docs/segments.md")["segments"].collect().filter(segmentation="activity")
    assert segments["segment"].unique(maintain_order=True).to_list() == ["0", "2", "3"]
    listed = re.findall(r"^\| (`.+?`) \|", text_of("docs/segments.md"), re.MULTILINE)
    assert {f'`rm.buckets("{number}", n)`' for number in NUMBERS} | {f'`"{word}"`' for word in WORDS} <= {*listed}


def test_splits_page_writes_its_files_and_has_every_method_and_parameter(folder: Path) -> None:
    page, text = follow("docs/splits.md"), text_of("docs/splits.md")
    assert sorted(page["test"].collect()["item_id"]) == [3, 3, 4]
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["test.parquet", "train.parquet"]
    shown = re.search(r"rows\(\)  # (\[.*\]) in some order", text)
    assert shown is not None
    assert sorted(page["folds"].test.collect().rows()) == eval(shown[1])
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|", text, re.MULTILINE))
    assert {method: {*re.findall(r"`(\w+)`", listed)} for method, listed in rows.items()} == {
        method: {*parameters(method)} for method in methods()
    }


@pytest.mark.long
def test_the_page_on_gates_logs_and_its_commands_print_what_it_shows(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    follow("docs/gates.md")
    assert LOGGER.level > 0
    LOGGER.setLevel(0)
    assert "item-knn/ndcg_at_10 0.26" in capsys.readouterr().out
    assert (folder / "gate.xml").exists()
    (suites,) = re.findall(r"```toml\n(.*?)```", text_of("docs/gates.md"), re.DOTALL)
    (folder / "rankmetrics.toml").write_text(suites)
    n_commands = 0
    for kind, block, output in blocks_with_outputs("docs/gates.md"):
        for command in shell_commands(block) if kind == "sh" else ():
            n_commands += 1
            code, out, err = run(*shlex.split(command)[1:])
            assert code == 0, (command, err)
            assert not output or [line.rstrip() for line in out.splitlines()] == output.splitlines()
    assert n_commands == 6


@pytest.mark.long
def test_pages_on_samples_explanations_and_ties_print_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    follow("docs/sampled.md")
    capsys.readouterr()
    follow("docs/explaining.md")
    assert capsys.readouterr().out.strip() in text_of("docs/explaining.md")
    follow("docs/ties.md")
    (shown,) = re.findall(r"```text\n(.*?)```", text_of("docs/ties.md"), re.DOTALL)
    assert capsys.readouterr().out == shown


@pytest.mark.long
def test_the_page_on_logs_shows_its_estimates_and_their_intervals() -> None:
    row = follow("docs/logs.md")["row"]
    table = re.findall(
        r"^\| \[`(\w+)`\]\(metrics/.*?\) \| ([0-9.]+) \|(?: ± ([0-9.]+))? \|", text_of("docs/logs.md"), re.MULTILINE
    )
    assert len(table) == 5
    for name, estimate, half in table:
        assert f"{row[name]:.2f}" == estimate, name
        assert not half or name == "snips" or f"{row[f'{name} ci']:.2f}" == half, name


@pytest.mark.long
@pytest.mark.filterwarnings("error")
def test_the_pages_on_models_print_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    for page, n_shown in (("docs/tutorials/model.md", 1), ("docs/models.md", None)):
        follow(page)
        printed = capsys.readouterr().out
        shown = re.findall(r"```text\n(n_lists.*?)```", text_of(page), re.DOTALL)
        assert [text for text in shown if text.strip() not in printed] == [], page
        assert len(shown) == (n_shown or len(shown))
    first = blocks("docs/tutorials/model.md", "python")[0]
    assert len([line for line in first.splitlines() if line and not line.startswith("#")]) <= 25


def test_the_first_example_prints_what_the_readme_and_the_home_page_show() -> None:
    fronts = [re.split(r"\]\((?:docs/)?demo.svg", text_of(page))[0] for page in ("README.md", "docs/index.md")]
    assert fronts[0] == fronts[1]
    code, output = next(blocks[1:] for blocks in blocks_with_outputs("README.md") if blocks[0] == "python")
    assert len(code.strip().splitlines()) <= 5
    text = StringIO()
    with redirect_stdout(text):
        run_code(code, "README.md", {})
    assert text.getvalue() == output


def test_the_commands_that_write_sql_write_it() -> None:
    commands = [words for page in ("README.md", "docs/warehouse-sql.md") for words in page_commands(page)]
    writing = [words for words in commands if words[0] == "sql"]
    assert len(writing) == 6
    for words in writing:
        code, out, _ = run(*words)
        assert (code, "ndcg_at_10" in out.lower() or "ndcg@10" in out) == (0, True), words


# --- docs/which-metric.md: the tables of metrics by task and by data --------------------------------------------------


def test_every_label_of_the_page_on_choosing_a_metric_is_measured() -> None:
    tables = text_of("docs/which-metric.md").partition("## MAP or nDCG?")[0]
    labels = re.findall(r"^\| [^|]+ \| [^|]+ \| `([^`]+)` \|", tables, re.MULTILINE)
    assert len(labels) == 14
    log = pl.DataFrame({"user": [1, 2], "item": ["a", "b"], "reward": [1, 0], "propensity": [0.5, 0.5]})
    policy = pl.DataFrame({"user": [1, 2], "item": ["a", "a"], "probability": [1.0, 1.0]})
    assert rm.evaluate(policy, metrics=["snips"], log=log).collect()["snips"].to_list() == [1.0]
    others = [label for label in labels if label != "snips"]
    values = rm.evaluate("data/recs.parquet", "data/truth.parquet", others).collect().select(sorted({*others}))
    assert values.null_count().row(0) == (0,) * values.width


def test_every_task_of_the_page_on_choosing_a_metric_has_three_things_not_to_do() -> None:
    tasks = text_of("docs/which-metric.md").partition("## Three things not to do")[2].split("\n### ")[1:]
    assert [task.count("\n- Do not ") for task in tasks] == [3] * 8
