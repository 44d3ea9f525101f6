"""Files of TREC, MovieLens and RecBole, and files that hold a system each, by their names or as the caller says."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import rankmetrics as rm
from rankmetrics.engines.files import OfFormat, with_formats
from rankmetrics.request import Request
from tests.support import flat
from tests.support.engines import Engine, summarized
from tests.support.layouts import RECS as SYSTEM_RECS
from tests.support.layouts import TRUTH as SYSTEM_TRUTH
from tests.support.layouts import evaluate, value
from tests.support.refusals import refusal

RUN = """\
q1 Q0 d1 1 9.5 bm25
q1 Q0 d2 2 9.5 bm25
q1 Q0 d7 3 1.25 bm25
q2 Q0 007 1 3e-1 bm25
"""
QRELS = "q1 0 d2 2\nq1 0 d7 1\nq1 0 d9 0\nq2 0 007 1\n"
RATINGS = [(1, 11, 5, 880), (1, 12, 3, 881), (2, 11, 4, 882)]
RECS = pl.DataFrame({"user": [1, 1, 2], "item": [11, 13, 12], "score": [0.9, 0.5, 0.4]})
TRUTH = pl.DataFrame(RATINGS, schema=["user", "item", "rating", "timestamp"], orient="row").drop("timestamp")
METRICS = ["ndcg(gain=linear)@3", "rr"]


def write(path: Path, text: str) -> Path:
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


# --- TREC -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "qrels", "options"),
    [
        ("bm25.run", "a.qrels", {}),
        ("bm25.trec.gz", "a.qrels.gz", {}),
        ("run.txt", "qrels.txt", {"format": ["recs: trec", "truth: trec"]}),
        ("run.txt", "a.qrels", {"format": "recs: trec"}),
        ("tabs.run", "tabs.qrels", {}),
        ("blanks.run", "blanks.qrels", {}),
    ],
)
def test_runs_and_qrels_of_trec_are_read(tmp_path: Path, run: str, qrels: str, options: dict[str, Any]) -> None:
    separator = {"tabs": "\t", "blanks": " \t "}.get(run.partition(".")[0], " ")
    recs = write(tmp_path / run, RUN.replace(" ", separator))
    truth = write(tmp_path / qrels, QRELS.replace(" ", separator))
    engines: tuple[dict[str, Any], ...] = ({}, {"connection": duckdb.connect()})
    for engine in engines:
        found = summarized(flat.evaluate(recs, truth, METRICS, convention=None, **options, **engine))
        assert found["system"].to_list() == ["bm25"]
        assert found["rr"].item() == (1 / 2 + 1) / 2
        by_trec = summarized(flat.evaluate(recs, truth, ["recip_rank"], convention="trec_eval", **options, **engine))
        assert by_trec["recip_rank"].item() == 1  # of equal scores, d2 comes before d1


def test_the_rank_of_a_run_counts_only_if_it_is_named(tmp_path: Path) -> None:
    recs = write(tmp_path / "a.run", "q1 Q0 d1 2 0.9 x\nq1 Q0 d2 1 0.1 x\n")
    truth = write(tmp_path / "a.qrels", "q1 0 d2 1\n")
    assert summarized(rm.evaluate(recs, truth, "rr"))["rr"].item() == 1 / 2
    named = summarized(rm.evaluate(rm.Input(recs, columns=rm.Columns(rank="trec_rank")), truth, "rr"))
    assert named["rr"].item() == 1


def test_a_line_that_is_not_of_the_format_is_refused_with_its_number(tmp_path: Path) -> None:
    recs, truth = write(tmp_path / "a.run", RUN), write(tmp_path / "a.qrels", QRELS)
    with refusal(rm.InputError, "not of the format qrels", "query, trec_iteration, item, rating"):
        rm.evaluate(recs, rm.Input(recs, format="qrels"), "rr")
    for line in ("q3 Q0 d1", "q3 Q0 d1 1 0.5 my tag", "q3 Q0 d1 1 high x"):
        late = write(tmp_path / "late.run", f"{RUN}\n{line}\n")
        with refusal(rm.InputError, f"Line 6 of {str(late)!r} is not of the format trec: {line!r}"):
            rm.evaluate(late, truth, "rr")


# --- MovieLens and RecBole --------------------------------------------------------------------------------------------


ATOMIC = ["user_id:token\titem_id:token\trating:float", *("\t".join(map(str, row[:3])) for row in RATINGS)]


@pytest.mark.parametrize(
    ("name", "form"), [("u.data", "movielens"), ("ratings.dat", "movielens"), ("a.inter", "recbole")]
)
def test_ratings_of_movielens_and_recbole_are_read(tmp_path: Path, name: str, form: str) -> None:
    lines = [("\t" if name == "u.data" else "::").join(map(str, row)) for row in RATINGS]
    truth = write(tmp_path / name, "\n".join(ATOMIC if form == "recbole" else lines) + "\n")
    expected = summarized(rm.evaluate(RECS, TRUTH, METRICS))
    for recs in (RECS, RECS.to_arrow()):
        found = rm.evaluate(rm.Input(recs, format=form), rm.Input([truth], format=form), METRICS)
        assert_frame_equal(summarized(found), expected)


# --- the option -------------------------------------------------------------------------------------------------------


def test_a_format_that_is_unknown_is_refused(tmp_path: Path) -> None:
    recs = write(tmp_path / "run.txt", RUN)
    with refusal(rm.InputError, "names no format of a file", "Did you mean 'trec'?"):
        rm.evaluate(rm.Input(recs, format="trek"), rm.Input(TRUTH, format="trek"), "rr")


def test_a_format_without_a_name_is_for_files_of_unknown_formats_of_every_input() -> None:
    given: dict[str, Any] = {"recs": {"a": "a.csv", "b": "b.txt"}, "truth": "u.data", "metrics": "rr"}
    tables = Request(**given, systems="s.txt", baseline={"system": "a"}).tables
    read = {name: with_formats(name, value, ["csv"]) for name, value in tables.items()}
    assert read == {
        "recs": {"a": "a.csv", "b": OfFormat("b.txt", "csv")},
        "truth": OfFormat("u.data", "csv"),
        "systems": OfFormat("s.txt", "csv"),
    }
    assert with_formats("recs", "b.txt", ["truth: movielens"]) == "b.txt"
    with refusal(rm.InputError, "names no format of a file"):
        with_formats("truth", "u.data", ["trek"])


def test_a_table_of_systems_may_have_a_format(tmp_path: Path) -> None:
    systems = write(tmp_path / "systems.txt", "algorithm\nals\n")
    recs = RECS.with_columns(algorithm=pl.lit("als"))
    assert rm.evaluate(recs, TRUTH, "rr", systems=rm.Input(systems, format="csv")).collect().height == 1


def test_results_are_not_written_as_runs(tmp_path: Path) -> None:
    with refusal(rm.InputError, "Cannot tell what to write", ".parquet"):
        rm.evaluate(RECS, TRUTH, "rr").write(tmp_path / "a.run")


# --- Several files as several systems: by their names, by a mapping, or as parts of one table -------------------------


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with a file for each of two systems, and the truth beside it."""
    folder = tmp_path / "runs"
    folder.mkdir()
    SYSTEM_RECS.write_parquet(folder / "als.parquet")
    SYSTEM_RECS.with_columns(score=-pl.col("score")).write_parquet(folder / "knn.parquet")
    SYSTEM_TRUTH.write_parquet(tmp_path / "truth.parquet")
    return folder


@pytest.mark.parametrize("given", ["*.parquet", "", ["als.parquet", "knn.parquet"]], ids=["glob", "folder", "list"])
def test_files_that_hold_the_same_lists_are_not_taken_for_one_system(runs: Path, given: Any) -> None:
    recs = [runs / one for one in given] if isinstance(given, list) else f"{runs}/{given}"
    result = rm.evaluate(recs, SYSTEM_TRUTH, "rr")
    with refusal(
        rm.DataError, "Several files hold the same item", "als.parquet", 'rm.Input(recs, files_as="system")', '"parts"'
    ):
        result.collect()


def test_files_may_be_parts_of_one_table(runs: Path, tmp_path: Path) -> None:
    for user in (1, 2):
        SYSTEM_RECS.filter(user=user).write_parquet(tmp_path / f"part-{user}.parquet")
    assert value(rm.evaluate(f"{tmp_path}/part-*.parquet", SYSTEM_TRUTH, "rr")) == [0.75]
    assert value(rm.evaluate(rm.Input(f"{runs}/*.parquet", files_as="parts"), SYSTEM_TRUTH, "rr")) == [0.75]


def test_files_of_one_name_are_told_apart_by_their_folders(runs: Path) -> None:
    for system in ("als", "knn"):
        (runs / system).mkdir()
        (runs / f"{system}.parquet").rename(runs / system / "recs.parquet")
    found = summarized(rm.evaluate(rm.Input(f"{runs}/*/recs.parquet", files_as="system"), SYSTEM_TRUTH, "rr"))
    assert sorted(found["system"]) == ["als", "knn"]


def test_a_mapping_names_systems(engine: Engine) -> None:
    other = SYSTEM_RECS.with_columns(score=-pl.col("score"))
    given = {"als": engine.give(SYSTEM_RECS), "knn": engine.give(other)}
    result = flat.evaluate(given, engine.give(SYSTEM_TRUTH), "rr", **engine.options)
    assert summarized(result).sort("system").select("system", "n_lists").rows() == [("als", 2), ("knn", 2)]


def test_a_mapping_may_hold_files_and_frames(runs: Path) -> None:
    result = summarized(
        rm.evaluate(
            rm.Input({"als": runs / "als.parquet", "knn": SYSTEM_RECS.lazy()}, files_as="model"), SYSTEM_TRUTH, "rr"
        )
    )
    assert sorted(result["model"]) == ["als", "knn"]


def test_a_name_of_a_system_that_no_file_can_hold_is_refused() -> None:
    with refusal(rm.InputError, "holds half of a character", r"'als\ud800'"):
        rm.evaluate({"als\ud800": SYSTEM_RECS}, SYSTEM_TRUTH, "rr")


def test_systems_with_different_columns_are_refused(engine: Engine) -> None:
    given = {"als": engine.give(SYSTEM_RECS), "knn": engine.give(SYSTEM_RECS.rename({"score": "rank"}))}
    with refusal(rm.ColumnError, "'als' have the columns", "give all systems the same columns"):
        flat.evaluate(given, SYSTEM_TRUTH, "rr", **engine.options)


def test_a_column_of_systems_hides_no_other(runs: Path) -> None:
    with refusal(rm.ColumnError, "have a column 'user' already"):
        rm.evaluate(rm.Input(f"{runs}/*.parquet", files_as="User"), SYSTEM_TRUTH, "rr")


def test_frames_have_no_files_to_name_systems_by(engine: Engine) -> None:
    with refusal(rm.InputError, "rm.Input(recs, files_as=...) is for files", "mapping"):
        evaluate(engine, SYSTEM_RECS, SYSTEM_TRUTH, files_as="system")
