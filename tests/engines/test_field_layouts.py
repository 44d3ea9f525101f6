"""Layouts that tools and data sets write: read at once, or by following the advice of the error, which is run here."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import sqlite3
import sys
import zipfile
from collections.abc import Mapping
from contextlib import nullcontext
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rankmetrics as rm
from rankmetrics.engines import polars as polars_engine
from rankmetrics.engines.files import OfFormat
from tests.support.refusals import refusal

TRUTH: Any = {1: ["b"], 2: ["a"]}
ROWS = "user,item,score\n1,a,0.9\n1,b,0.8\n2,a,0.7\n"
DISCOUNT = 0.6309297535714575  # log 2 / log 3
QRELS = "1048585\t0\t7187157\t1\n2\t0\t4339068\t1\n3\t0\t55\t1\n"
LETOR = "2 qid:10 1:0.03 2:0.6 #docid = GX008\n0 qid:10 1:0.1 2:0.2 #docid = GX009\n1 qid:11 1:0.3 #docid = GX010\n"
OTTO = "session_type,labels\n1_clicks,10 11 12\n1_carts,10 11\n1_orders,12\n"
OTTO_LABELS = '{"session": 1, "labels": {"clicks": 11, "carts": [10, 12], "orders": [12]}}\n'
BEHAVIORS = "1\tU1\t11/15/2019 9:00:00 AM\tN1 N2\tN10-0 N11-1 N12-0\n2\tU2\t11/15/2019 10:00:00 AM\t\tN10-1 N13-0\n"
SHOWN = pl.DataFrame({"impression": ["1", "1", "2", "2"], "item": ["N11", "N10", "N13", "N10"], "rank": [1, 2, 1, 2]})
HITS = [{"hit": {"_id": "8", "_score": 2.0}, "rating": None}, {"hit": {"_id": "7", "_score": 1.0}, "rating": 1}]
RANK_EVAL = json.dumps({"metric_score": 0.5, "details": {"q1": {"metric_score": 0.5, "hits": HITS}}, "failures": {}})
REQUESTS = json.dumps({"requests": [{"id": "q1", "request": {}, "ratings": [{"_id": "7", "rating": 1}]}]})
MOVIES = "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n2:\n822109,4,2005-05-13\n"
HUGE = "340282366920938463463374607431768211"
BEIR: Any = {"1": {"MED-11": 0.9, "MED-10": 0.5}, "2": {"MED-11": 3.0, "MED-10": 1.0}}

# Files, recommendations, truth, a metric, its right value, and the number of errors whose advice is followed.
LAYOUTS: Mapping[str, tuple[Mapping[str, str | bytes], Any, Any, str, float, int]] = {
    "blanks in cells": (
        {"recs.csv": "customer_id,prediction\n00ab,0372\n01cd,0108 0706 0372\n",
         "truth.csv": "customer_id,article_id,price\n00ab,0372,0.05\n01cd,0108,0.02\n01cd,0999,0.02\n"},
        *("recs.csv", "truth.csv", "ap@12", 0.75, 1),
    ),
    "commas in cells of a named column": (
        {"recs.tsv": "user\tpicks\ttitle\n1\ta,b\tx,y\n2\ta\tz\n"},
        *(rm.Input("recs.tsv", columns={"item": "picks"}, lists=["user"]), TRUTH, "rr", 0.75, 1),
    ),
    "lists of Python": ({"recs.csv": "user,items\n1,\"['a', 'b']\"\n2,['a']\n"}, "recs.csv", TRUTH, "rr", 0.75, 1),
    "lists of JSON": ({"recs.csv": 'user,items\n1,"[3, 4]"\n2,[3]\n'}, "recs.csv", {1: [4], 2: [3]}, "rr", 0.75, 1),
    "lists of NumPy": ({"recs.csv": "user,items\n1,['a' 'b']\n2,['a']\n"}, "recs.csv", TRUTH, "rr", 0.75, 1),
    "titles with blanks": (
        {"recs.csv": "user,item,rank\n1,Star Wars,1\n1,Alien 3,2\n"},
        *("recs.csv", {1: ["Alien 3", "Alien"]}, "rr", 0.5, 0),
    ),
    "OTTO": ({"s.csv": OTTO, "l.jsonl": OTTO_LABELS}, "s.csv", "l.jsonl", "recall@20", 2.5 / 3, 0),
    "MIND": ({"behaviors.tsv": BEHAVIORS}, SHOWN, "behaviors.tsv", "rr", 0.75, 0),
    "LETOR": (
        {"test.txt": LETOR, "scores.txt": "0.1\n0.9\n0.5\n"},
        *("scores.txt", "test.txt", "ndcg(gain=exponential)@10", (1 + DISCOUNT) / 2, 1),
    ),
    "Netflix": ({"data_1.txt": MOVIES}, {822109: [1, 3], 1488844: [2]}, "data_1.txt", "recall@2", 0.25, 0),
    "MS MARCO": (
        {"run.tsv": "1048585\t7187158\t1\n1048585\t7187157\t2\n2\t4339068\t1\n", "qrels.tsv": QRELS},
        *("run.tsv", "qrels.tsv", "rr@10", 0.5, 2),
    ),
    "BEIR": (
        {"test.tsv": "query-id\tcorpus-id\tscore\n1\tMED-10\t0\n1\tMED-11\t2\n2\tMED-10\t1\n"},
        *(BEIR, "test.tsv", "ndcg(gain=linear)@10", (1 + DISCOUNT) / 2, 0),
    ),
    "rank_eval": ({"found.json": RANK_EVAL, "asked.json": REQUESTS}, "found.json", "asked.json", "rr", 0.5, 0),
    "no header": ({"recs.csv": "1,a,0.9\n1,b,0.8\n2,a,0.7\n"}, "recs.csv", TRUTH, "rr", 0.75, 1),
    "no header and no ending": ({"recs": "1;a;1\n1;b;2\n2;a;1\n"}, Path("recs"), TRUTH, "rr", 0.75, 2),
    "numbers of 39 digits": (
        {"recs.csv": f"user,item,rank\n1,{HUGE}455,1\n1,{HUGE}454,2\n", "truth.csv": f"user,item\n1,{HUGE}454\n"},
        *("recs.csv", "truth.csv", "rr", 0.5, 0),
    ),
    "folders of CSV": (
        {"runs/day=2024-01-01/r.csv": ROWS, "runs/day=2024-01-02/r.csv": ROWS},
        *("runs", TRUTH, "rr", 0.75, 0),
    ),
    "quotes in a TSV": (
        {"t.tsv": 'user\titem\tartist\n1\ta\t"Weird Al\n1\tb\tplain\n2\ta\tHeroes"\n3\tc\tx\n'},
        *({1: ["b", "a"], 2: ["z"], 3: ["c"]}, "t.tsv", "recall@2", 2 / 3, 0),
    ),
    "quotes around all cells of a TSV": (
        {"recs.tsv": '"user"\t"item"\t"score"\n1\t"a"\t0.9\n1\t"b"\t0.8\n2\t"a"\t1\n'},
        *("recs.tsv", TRUTH, "rr", 0.75, 0),
    ),
    "a quote that does not end": (
        {"recs.csv": 'user,item,score,title\n1,a,0.9,"Weird Al\n1,b,0.8,x\n2,a,0.7,y\n'},
        *(rm.Input("recs.csv", lists=["user"]), TRUTH, "rr", 0.75, 1),
    ),
    "decimal commas": ({"recs.csv": "user;item;score\n1;a;0,9\n1;b;0,8\n2;a;1\n"}, "recs.csv", TRUTH, "rr", 0.75, 1),
    "points between thousands": (
        {"recs.csv": "user;item;score\n1;a;1.200,5\n1;b;1.100,5\n2;a;0,5\n"},
        *("recs.csv", TRUTH, "rr", 0.75, 1),
    ),
    "commas between thousands": (
        {"recs.csv": 'user,item,score\n1,a,"1,200.5"\n1,b,900.0\n2,a,"1,000"\n'},
        *("recs.csv", TRUTH, "rr", 0.75, 1),
    ),
    "a mark of NULL": (
        {"recs.csv": "user,item,score\n1,a,0.9\n1,b,\\N\n2,a,0.7\n"},
        *("recs.csv", TRUTH, "rr", 0.75, 1),
    ),
    "blanks after commas": ({"recs.csv": ROWS.replace(",", ", ")}, "recs.csv", TRUTH, "rr", 0.75, 0),
    "Latin-1": ({"recs.csv": f"{ROWS}3,é,0.5\n".encode("latin-1")}, "recs.csv", TRUTH, "rr", 0.75, 1),
    "UTF-16": ({"recs.csv": ROWS.encode("utf-16")}, "recs.csv", TRUTH, "rr", 0.75, 1),
    "another separator": ({"recs.csv": ROWS.replace(",", "::")}, "recs.csv", TRUTH, "rr", 0.75, 1),
    "bz2": ({"recs.csv.bz2": bz2.compress(ROWS.encode())}, "recs.csv.bz2", TRUTH, "rr", 0.75, 0),
    "xz": ({"recs.csv.xz": lzma.compress(ROWS.encode())}, "recs.csv.xz", TRUTH, "rr", 0.75, 0),
    "gzip without its ending": ({"recs.csv": gzip.compress(ROWS.encode())}, "recs.csv", TRUTH, "rr", 0.75, 0),
    "times in JSON and in CSV": (
        {"r.jsonl": '{"user":1,"item":"12:30:00","rank":1}\n{"user":1,"item":"00:12:30","rank":2}\n',
         "t.csv": "user,item\n1,00:12:30\n"},
        *("r.jsonl", "t.csv", "rr", 0.5, 0),
    ),
    "zoned times in JSON and in CSV": (
        {"r.jsonl": '{"session":"2024-01-05T10:00:00Z","item":"a","rank":1}\n',
         "t.csv": "session,item\n2024-01-05T10:00:00Z,a\n"},
        *("r.jsonl", "t.csv", "rr", 1, 0),
    ),
    "days in JSON and in CSV": (
        {"r.jsonl": '{"day":"2024-01-05","item":"a","rank":1}\n', "t.csv": "day,item\n2024-01-05,a\n"},
        *("r.jsonl", "t.csv", "rr", 1, 0),
    ),
    "numbers and texts in JSON": (
        {"r.jsonl": '{"user":1,"item":12,"rank":1}\n{"user":1,"item":"x7","rank":2}\n'},
        *("r.jsonl", {1: ["12"]}, "rr", 1, 0),
    ),
    "whole numbers as texts in JSON": (
        {"r.csv": "user,item,rank\n1,12,1\n", "t.jsonl": '{"user":1,"item":"12"}\n{"user":1,"item":"9"}\n'},
        *("r.csv", "t.jsonl", "rr", 1, 1),
    ),
    "objects of scores in JSON": (
        {"t.jsonl": '{"user":1,"x":{"a":0.9,"b":0.8}}\n{"user":2,"x":{"a":0.7}}\n'},
        *({1: ["b"], 2: ["c", "a"]}, "t.jsonl", "recall@2", 0.75, 1),
    ),
    "one object of scores": (
        {"run.json": '{"q1": {"a": 0.9, "b": 0.8}, "q2": {"a": 1}}', "qrels.json": '{"q1": {"b": 1}, "q2": {"a": 2}}'},
        *("run.json", "qrels.json", "rr", 0.75, 0),
    ),
    "objects in JSON": ({"t.jsonl": '{"user":1,"x":{"carts":[1,2]}}\n'}, {1: [3, 2]}, "t.jsonl", "rr", 0.5, 1),
}  # fmt: skip

ADVICE = re.compile(r"rm\.Input\((recs|truth|\[.*?\]), (?:[^()\"']|\"(?:[^\"\\]|\\.)*\"|'[^']*')*\)")


def measured(given: Any, truth: Any, metric: str, steps: int) -> float:
    """The metric, after as many errors, each with an advice that is followed."""
    for _ in range(steps):
        with pytest.raises(rm.RankMetricsError) as caught:
            rm.evaluate(given, truth, metric)
        advice, select = ADVICE.search(str(caught.value)), re.search(r'reads them: (".*")\.', str(caught.value))
        if select:
            truth = json.loads(select[1])
            continue
        assert advice, caught.value
        name = "truth" if advice[1] == "truth" else "recs"
        known = {"recs": given, "truth": truth}[name]
        table = known.table if isinstance(known, rm.Input) else known
        advised = eval(advice[0], {"rm": rm, "recs": table, "truth": table})
        both = {**known.given, **advised.given} if isinstance(known, rm.Input) else advised.given
        given, truth = [
            rm.Input(advised.table, **both) if each == name else value
            for each, value in (("recs", given), ("truth", truth))
        ]
    return float(rm.evaluate(given, truth, metric).collect()[metric][-1])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_is_read_at_once_or_as_the_error_says(
    layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files, recs, truth, metric, right, steps = LAYOUTS[layout]
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    assert measured(recs, truth, metric, steps) == pytest.approx(right)


# Ten data sets in the layout in which they are published, of which nine are read in one step, and four files that begin
# like those of a known format. Of each: the content, the recommendations, and rr or the words of the refusal.
FIRST, MBID = "0" * 40, "3bd73256-3905-4f3a-97e2-8b341527f805"
YELP = '{"review_id":"KU_","user_id":"mh_","business_id":"XQf","stars":3.0,"text":"a b","date":"2018-07-07 22:09:11"}\n'
GOWALLA = "0\t2010-10-19T23:55:27Z\t30.2359091167\t-97.7951395833\t22847\n"
KUAIREC = "user_id,video_id,play_duration,video_duration,time,date,timestamp,watch_ratio\n14,148,4381,6067,,,,0.72\n"
TA_FENG = '"TRANSACTION_DT","CUSTOMER_ID","AGE_GROUP","PRODUCT_ID","AMOUNT"\n"11/1/2000","01104905","45-49","47","2"\n'
GOODREADS = "user_id,book_id,is_read,rating,is_reviewed\n0,948,1,5,0\n0,947,0,0,0\n"
CRITEO = "\t".join(["0", "1", "", *["5"] * 11, *["68fd1e64"] * 25, ""]) + "\n"
PUBLISHED: Mapping[str, tuple[str, Any, float | str]] = {
    "usersha1-artmbid-artname-plays.tsv": (f'{FIRST}\t{MBID}\t"Weird Al\t2137\n', {FIRST: ["x", MBID]}, 0.5),
    "yelp_academic_dataset_review.json": (YELP, {"mh_": ["x", "XQf"]}, 0.5),
    "loc-gowalla_totalCheckins.txt": (GOWALLA, {0: ["x", "22847"]}, 0.5),
    "kuairec/small_matrix.csv": (KUAIREC, {14: [1, 148]}, 0.5),
    "ta_feng_all_months_merged.csv": (TA_FENG, {"01104905": [1, 47]}, 0.5),
    "BX-Book-Ratings.csv": ('"User-ID";"ISBN";"Book-Rating"\n"1";"03X";"0"\n"2";"03é";"5"\n', {2: ["x", "03é"]}, 0.5),
    "goodreads_interactions.csv": (GOODREADS, {0: [947, 948]}, 0.5),
    "trec/2019qrels-pass.txt": ("19335 Q0 1017 0\n19335 Q0 1082 2\n", {"19335": ["1017", "1082"]}, 0.5),
    "letor/test.txt": (LETOR, {"10": ["GX009", "GX008"], "11": ["x", "GX010"]}, 0.5),
    "criteo/train.txt": (CRITEO, {0: [1, 2]}, "no column holds the id of an item"),
    "trec/2020qrels-pass.txt": ("19335 0 1017759 1\n", {"19335": ["1082"]}, 'format="qrels"'),
    "ml-100k/u.data": ("196\t242\t3\t881250949\n", {196: [242]}, 'format="movielens"'),
    "netflix/rows.txt": ("1488844,3,2005-09-06\n", {1: [3]}, 'format="netflix"'),
    "a header alone.txt": ("a;b;c\n", {1: [3]}, 'truth, format="csv")'),
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_file_is_read_in_one_step_or_refused_with_the_reason(name: str, tmp_path: Path) -> None:
    content, recs, right = PUBLISHED[name]
    path = tmp_path / Path(name).name
    path.write_bytes(content.encode("latin-1" if name.startswith("BX") else "utf-8"))
    with nullcontext() if isinstance(right, float) else refusal(rm.InputError, right):
        result = rm.evaluate(recs, path, "rr")
        notes = [note for note in result.notes() if "recognized by the first line" in note]
        assert (result.collect()["rr"].item(), len(notes)) == (right, path.suffix == ".txt" or name[0] in "uB")
        assert {*notes} <= {*result.account().collect()["account"]}


# Files with a fault, and the words of their refusal.
REFUSED: Mapping[str, tuple[str, Any, tuple[str, ...]]] = {
    "the header again": ("r.csv", "user,item,score\n1,a,1\nuser,item,score\n2,a,1\n", ("Row 2", "header again")),
    "the header again, above ids": ("r.csv", "user,item,rank\nuser,item,rank\n1,a,1\n", ("Row 1", "header again")),
    "the header again, without numbers": ("r.csv", "user,item\nu,a\nuser,item\nu,b\n", ("Row 2", "header again")),
    "a text among numbers": ("r.csv", f"{ROWS}2,b,high\n2,c,low\n", ("'high' in row 4", 'nulls=["high", "low"]')),
    "a ragged line of a TSV": ("r.tsv", "user\titem\tscore\n1\ta\t1\n1\tb\n", ("line 3 of 'r.tsv' has 2 cells",)),
    "split of pandas": ("r.json", '{"columns":["a"],"index":[0],"data":[[1]]}', ("orient='split'", "records")),
    "columns of pandas": ("r.json", '{"user":{"0":1,"1":1},"item":{"0":"a","1":"b"}}', ("orient='columns'",)),
    "broken JSON": ("r.json", '[{"user":1,"item":2},{"user":1,]', ("'r.json' is not valid JSON",)),
    "no item": ("r.csv", "user,about,score\n1,big cat,1\n", ("No item column was found", "there were 'user'")),
    "clicks that are missing": ("behaviors.tsv", rm.Input("behaviors.tsv", format="mind"), ("not of the format mind",)),
}  # fmt: skip


@pytest.mark.parametrize("fault", REFUSED)
def test_a_fault_of_a_text_file_is_refused_with_its_place(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, content, words = REFUSED[fault]
    Path(name).write_text(content if isinstance(content, str) else BEHAVIORS.replace("-0", ""), encoding="utf-8")
    recs, truth = (name, TRUTH) if isinstance(content, str) else (SHOWN, content)
    with refusal(rm.ColumnError if re.search("row|item", words[0]) else rm.InputError, *words):
        rm.evaluate(recs, truth, "rr")


def test_scores_that_are_not_of_the_lines_of_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "test.txt").write_text(LETOR, encoding="utf-8")
    (tmp_path / "scores.txt").write_text("0.1\n0.2\n", encoding="utf-8")
    data, scores = str(tmp_path / "test.txt"), str(tmp_path / "scores.txt")
    truth = rm.Input(data, format="svmlight")
    for recs, words in ((scores, "need a file of scores and the file"), ([scores, data], "Line 3 of")):
        with refusal(rm.InputError, words):
            rm.evaluate(rm.Input(recs, format="letor"), truth, "rr")


def test_an_archive_of_one_file_is_read_and_others_are_refused(tmp_path: Path) -> None:
    for name, held in (("one", ["a.csv"]), ("two", ["a.csv", "b.csv"]), ("book", ["[Content_Types].xml", "b"])):
        with zipfile.ZipFile(tmp_path / f"{name}.csv.zip", "w") as archive:
            for each in held:
                archive.writestr(each, ROWS)
    recs = rm.Input({"a": tmp_path / "one.csv.zip", "b": tmp_path / "one.csv.zip"})
    assert rm.evaluate(recs, TRUTH, "rr").collect()["rr"].to_list() == [0.75, 0.75]
    for name, words in (("two", "holds 2 files"), ("book", "a workbook of Excel")):
        with refusal(rm.InputError, words):
            rm.evaluate(tmp_path / f"{name}.csv.zip", TRUTH, "rr")


def test_files_that_are_compressed_differently_are_systems_by_their_names(tmp_path: Path) -> None:
    duckdb.sql(
        f"COPY (SELECT 1 AS user, 'b' AS item, 0.9 AS score) TO '{tmp_path}/als.csv.zst' (HEADER, COMPRESSION zstd)"
    )
    (tmp_path / "knn.csv.xz").write_bytes(lzma.compress(b"user,item,score\n1,a,0.9\n"))
    recs = rm.Input([tmp_path / "als.csv.zst", tmp_path / "knn.csv.xz"], files_as="model")
    assert rm.evaluate(recs, {1: ["b"]}, "rr").collect().select("model", "rr").rows() == [("als", 1.0), ("knn", 0.0)]


def test_a_compression_that_this_python_lacks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "recs.csv").write_bytes(lzma.compress(ROWS.encode()))
    monkeypatch.setitem(sys.modules, "lzma", None)
    with refusal(rm.InputError, "is compressed with xz, which this Python lacks"):
        rm.evaluate(tmp_path / "recs.csv", TRUTH, "rr")


def test_options_of_text_are_refused_for_frames_and_wrong_numbers_of_columns(tmp_path: Path) -> None:
    (tmp_path / "recs.csv").write_text(ROWS, encoding="utf-8")
    pl.DataFrame({"user": [1]}).write_parquet(tmp_path / "recs.parquet")
    for recs, words in (
        (rm.Input(tmp_path / "recs.parquet", decimal=","), "is for text files"),
        (rm.Input(pl.DataFrame({"user": [1]}), decimal=","), "is for text files"),
        (rm.Input(tmp_path / "recs.csv", header=["user", "item"]), "names 2 columns, and the first line"),
        (rm.Input(tmp_path / "recs.csv", cells=" "), "no column with such cells"),
    ):
        with refusal(rm.InputError, words):
            rm.evaluate(recs, TRUTH, "rr")


def test_sqlite_refuses_a_text_in_a_column_of_numbers_that_is_read() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(
            'CREATE TABLE r ("user" INTEGER, item TEXT, score REAL, other REAL);'
            'CREATE TABLE t ("user" INTEGER, item TEXT);'
            "INSERT INTO r VALUES (1, 'a', 9.5, 'x'), (1, 'b', 1.5, 1); INSERT INTO t VALUES (1, 'a');"
        )
        asked: dict[str, Any] = {"lists": ["user"], "connection": connection}
        assert rm.evaluate("r", "t", "rr", **asked).collect()["rr"].item() == 1
        connection.execute("UPDATE r SET score = '1,2' WHERE item = 'b'")
        with refusal(rm.ColumnError, "'score' of the recommendations holds numbers and texts, such as '1,2'"):
            rm.evaluate("r", "t", "rr", **asked).collect()
        connection.execute("UPDATE r SET other = 1")  # whose text nothing above reads; all columns of systems are read
        with refusal(rm.ColumnError, """'score' of the recommendations of "knn's" holds numbers and texts"""):
            rm.evaluate({"knn's": "r"}, "t", "rr", **asked).collect()


def test_decimals_of_256_bits_are_read_where_38_digits_hold_them() -> None:
    for digits, words in (("", None), ("1" * 40, "Columns of decimal256")):
        scores = pa.array([Decimal(f"{digits}0.9"), Decimal("0.8")], pa.decimal256(60, 10))
        recs = pa.table({"user": [1, 1], "item": ["a", "b"], "score": scores})
        if words is None:
            assert rm.evaluate(recs, {1: ["b"]}, "rr").collect()["rr"].item() == 0.5
        else:
            with refusal(rm.InputError, words, "float64"):
                rm.evaluate(recs, {1: ["b"]}, "rr")


# --- dialects of text, drawn ------------------------------------------------------------------------------------------

CELLS = st.text(st.sampled_from("abé;,|\" #'0"), min_size=1, max_size=4).filter(lambda text: text.strip() == text)
NUMBERS = st.one_of(st.none(), st.integers(-999, 999).map(lambda number: number / 8))
TABLES = st.lists(st.tuples(st.integers(1, 99), CELLS, NUMBERS), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=TABLES,
    form=st.sampled_from(["csv", "tsv"]),
    separator=st.sampled_from(",;|"),
    is_quoted=st.booleans(),
    header=st.booleans(),
    decimal=st.sampled_from(".,"),
    null=st.sampled_from(["", "\\N", "NA"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "utf-16"]),
    end=st.sampled_from(["\n", "\r\n"]),
    is_said=st.booleans(),
)
def test_a_dialect_of_text_gives_its_rows_or_is_refused(
    rows: list[tuple[int, str, float | None]], form: str, separator: str, is_quoted: bool, header: bool, decimal: str,
    null: str, encoding: str, end: str, is_said: bool, tmp_path: Path,
) -> None:  # fmt: skip
    text, separator = io.StringIO(), "\t" if form == "tsv" else separator
    writer = csv.writer(
        text, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL if is_quoted else csv.QUOTE_MINIMAL
    )
    names = ["user", "item", "score"]
    cells = [[user, item, null if score is None else str(score).replace(".", decimal)] for user, item, score in rows]
    writer.writerows([names, *cells] if header else cells)
    path = tmp_path / f"rows.{form}"
    path.write_bytes(text.getvalue().encode(encoding))
    said: dict[str, Any] = {
        "decimal": decimal,
        "separator": separator,
        "encoding": encoding.removesuffix("-sig"),
        "nulls": null,
    }
    said |= {} if header else {"header": names}
    needed = {"quote": '"'} if form == "tsv" and '"' in text.getvalue() else {}
    try:
        engine = polars_engine.Polars(
            {"truth": OfFormat(str(path), form, {**needed, **(said if is_said else {})})}, None
        )
        read = engine.frame("truth").collect()
    except rm.RankMetricsError:
        assert not is_said
        return
    if read.schema["score"].is_numeric():  # else its text is refused as a score
        assert read.with_columns(pl.col("score").cast(float), pl.col("item").cast(str)).rows() == rows
    else:
        assert not is_said or all(score is None for _, _, score in rows)
