"""Suites: where their file is found, how each key is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import rankmetrics as rm
from rankmetrics.errors import InputError
from rankmetrics.suites import find_config, read_suite, suites_of
from tests.support.refusals import refusal

WHOLE = """
[suites.nightly]
description = "all models of the night"
recs = {als = "als.parquet", knn = "s3://runs/knn.parquet"}
truth = "truth/*.parquet"
history = "SELECT * FROM 'x.parquet'"
metrics = ["ndcg@10", "recall@5,10"]
by = "algorithm"
systems = ["als", "knn"]
sample = 100
lower_is_better = true
columns = {item = "sku", lists = {user = "reader"}}
extra_columns = {items = {category = "genre"}}
output = "out.csv"
per_list_output = "last.parquet"
report = "page.html"
threads = 2
define = ["own.sql"]

[suites.nightly.gate]
minimum = {"ndcg@10" = 0.25}
max_drop = {"ndcg@10" = "1%"}
against = "last.parquet"
max_missing = "1%"
system = "als"
"""


def written(folder: Path, text: str, name: str = "rankmetrics.toml") -> Path:
    folder.mkdir(exist_ok=True, parents=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_every_key_is_read_and_paths_are_those_of_the_folder_of_the_file(tmp_path: Path) -> None:
    suite = read_suite(written(tmp_path, WHOLE), "nightly")
    assert suite.options == {
        "recs": {"als": str(tmp_path / "als.parquet"), "knn": "s3://runs/knn.parquet"},
        "truth": str(tmp_path / "truth/*.parquet"),
        "history": "SELECT * FROM 'x.parquet'",
        "metrics": ["ndcg@10", "recall@5,10"],
        "by": ["algorithm"],
        "systems": ["als", "knn"],
        "sample": "100",
        "lower_is_better": True,
        "columns": rm.Columns(item="sku", lists={"user": "reader"}),
        "extra_columns": {"items": rm.Columns(category="genre")},
    }
    assert suite.gate == {
        "minimum": {"ndcg@10": 0.25},
        "max_drop": {"ndcg@10": "1%"},
        "against": tmp_path / "last.parquet",
        "max_missing": "1%",
        "system": ["als"],
    }
    assert (suite.output, suite.per_list_output) == (tmp_path / "out.csv", tmp_path / "last.parquet")
    assert suite.report == tmp_path / "page.html"
    assert (suite.threads, suite.define) == (2, (tmp_path / "own.sql",))


def test_tables_are_named_where_a_database_is(tmp_path: Path) -> None:
    text = 'recs = "recs"\ntruth = "truth.csv"\nmetrics = "rr"\n'
    own = read_suite(written(tmp_path, f'[suites.a]\ndatabase = "x.duckdb"\n{text}'), "a")
    assert (own.options["recs"], own.options["truth"]) == ("recs", str(tmp_path / "truth.csv"))
    assert own.database == tmp_path / "x.duckdb"
    of_files = read_suite(written(tmp_path, f"[suites.a]\n{text}"), "a")
    assert of_files.options["recs"] == str(tmp_path / "recs")


def test_the_nearest_file_above_is_found_and_rankmetrics_toml_comes_first(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    project = written(tmp_path, '[tool.rankmetrics.suites.one]\nrecs = "r.csv"\n', "pyproject.toml")
    assert find_config(inner) == project
    assert [*suites_of(project)] == ["one"]
    own = written(tmp_path, '[suites.two]\nrecs = "r.csv"\n')
    assert find_config(inner) == own
    other = written(tmp_path / "a", "[tool.ruff]\n", "pyproject.toml")
    assert find_config(inner) == own
    other.write_text("[tool.rankmetrics.suites.three]\n")
    assert find_config(inner) == other


REFUSED = [
    ("[suites", "rankmetrics.toml is not TOML: Expected"),
    ("", "rankmetrics.toml has no suites: write some, each a table such as [suites.nightly]"),
    ("[suite.a]", "a key 'suite' that means nothing: there is 'suites'. Did you mean 'suites'"),
    ("[suites.nightli]", "no suite 'nightly': there are 'nightli'. Did you mean 'nightli'"),
    ('[suites.nightly]\ntruth = "t.csv"', "suite 'nightly' has no 'recs': write recs = \"recs.parquet\""),
    ('[suites.nightly]\nrecs = "r.csv"\ntruth = "t.csv"', "suite 'nightly' has no 'metrics'"),
    ("[suites.nightly]\nmetric = 1", "a key 'metric' that means nothing. Did you mean 'metrics'"),
    ("[suites.nightly]\nby = 1.5", "suite 'nightly', by: 1.5 is not text"),
    ("[suites.nightly]\nlower_is_better = 1", "lower_is_better: 1 is neither true nor false"),
    ("[suites.nightly]\nrank_from = true", "rank_from: True is not a whole number"),
    ("[suites.nightly]\ncolumns = {sku = 'item'}", "columns: 'sku' is not a role of a column"),
    ("[suites.nightly]\ncolumns = 'item'", "columns: 'item' is not a table, as in {name = value}"),
    ("[suites.nightly.gate]\nmin = {}", "suite 'nightly', gate: it has a key 'min' that means nothing. Did you mean"),
    ("[suites.nightly]\nrecs='r'\ntruth='t'\ngate={strict=true}", "suite 'nightly', gate: A gate needs a limit"),
]


def test_what_cannot_be_a_suite_is_refused(tmp_path: Path) -> None:
    for text, words in REFUSED:
        with refusal(InputError, words, case=text):
            read_suite(written(tmp_path, text), "nightly")
    with refusal(InputError, "There is no file"):
        suites_of(tmp_path / "nothing.toml")
