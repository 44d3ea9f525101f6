"""Measure the SQL that rankmetrics writes beside SQL written by hand, in the same engine: `make bench-engines` (Linux).

`rm.to_sql` writes our text; by_hand.py has the plans by hand. Before anything is measured, all texts run on a small
problem with repeated rows, and on the data: their numbers must be equal to a relative 1e-9. Then the texts of an engine
take turns. A ratio compares the median CPU seconds of our text with those of the fastest plan by hand. CPU seconds are
those of all processes of the engine, as other load on the machine changes them less than the time on the clock. The
results go into results.json, under `engines`; an engine that was not run keeps its old results.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import sqlglot
from by_hand import PLANS, Plan
from run import RESULTS, TOLERANCE, alike, prepared, spread, where, write
from sessions import ENGINES, MEASURED, TABLES, Session
from sets import SIX, Job

import rankmetrics as rm

ROWS = 10_000_000
ROUNDS = 5
LENGTH = 50
FEW = 200_000  # rows of the small problem

# What is measured: metrics, and the tables that they need beside recs and truth.
METRICS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "accuracy": (SIX, {}),
    "history": (("surprisal@10", "unseen@10"), {"history": "history"}),
    "diversity": (("category_diversity@10",), {"items": "items"}),
    "exposure": (("coverage@10", "gini@10"), {"catalog": "items"}),
    "two": (("ndcg@10", "recall@10"), {}),
}


def ours(name: str, group: str, unique: bool) -> str:
    """The text that rankmetrics writes."""
    metrics, tables = METRICS[group]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the truth has no rating
        return rm.to_sql(
            "recs",
            rm.Input("truth", lists=["user"]),
            list(metrics),
            lists=["algorithm", "user"],
            dialect=name,
            assume="keys" if unique else (),
            **tables,
        )


def by_hand(name: str, plan: Plan, unique: bool) -> str:
    """A plan by hand in the words of an engine."""
    engine = ENGINES[name]
    return sqlglot.transpile(plan(unique), read="duckdb", write=engine.grammar)[0] + engine.after


def texts(name: str, group: str, unique: bool) -> dict[str, str]:
    """Our text first, then the plans by hand."""
    return {"ours": ours(name, group, unique)} | {plan.__name__: by_hand(name, plan, unique) for plan in PLANS[group]}


def repeated(folder: Path, scratch: Path) -> Path:
    """The data of a folder with a third of the rows of every table twice, recommendations at a lower rank."""
    made = scratch / "repeated"
    made.mkdir()
    for table in TABLES:
        again = "SELECT * REPLACE (rank + 3 AS rank)" if table == "recs" else "SELECT *"
        source = f"'{folder}/{table}.parquet'"
        query = f"FROM {source} UNION ALL {again} FROM {source} WHERE item % 3 = 0"
        duckdb.execute(f"COPY ({query}) TO '{made}/{table}.parquet'")
    return made


def check(session: Session, written: dict[str, str], place: str) -> None:
    """End it all where two texts return other numbers."""
    first, *others = ((text, sorted(session.run(written[text]))) for text in written)
    for text, rows in others:
        same = len(rows) == len(first[1]) and all(
            len(a) == len(b) and all(map(alike, map(number, a), map(number, b)))
            for a, b in zip(first[1], rows, strict=True)
        )
        if not same:
            sys.exit(f"{place}: {first[0]} and {text} differ by more than {TOLERANCE}:\n{first[1]}\n{rows}")


def number(value: Any) -> Any:
    """A decimal as a float."""
    return value if isinstance(value, (str, int)) or value is None else float(value)


def measure(session: Session, written: dict[str, str], rounds: int) -> dict[str, dict[str, Any]]:
    """CPU and wall seconds of each text; they take turns."""
    took: dict[str, list[tuple[float, float]]] = {text: [] for text in written}
    for _ in range(rounds):
        for text, sql in written.items():
            gc.collect()
            cpu, wall = session.cpu(), time.perf_counter()
            session.run(sql)
            wall = time.perf_counter() - wall
            time.sleep(0.05)  # until the server has seen its workers end
            took[text].append((session.cpu() - cpu, wall))
    return {
        text: {"cpu_s": spread([one for one, _ in pairs]), "wall_s": spread([one for _, one in pairs])}
        for text, pairs in took.items()
    }


def compared(took: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Our text beside the fastest plan by hand, and beside each."""
    cpu = {text: one["cpu_s"]["median"] for text, one in took.items()}
    mine, plans = cpu.pop("ours"), cpu
    fastest = min(plans, key=lambda plan: plans[plan])
    return {
        "fastest": fastest,
        "ratio": round(mine / plans[fastest], 3),
        "to": {plan: round(mine / seconds, 3) for plan, seconds in plans.items()},
        "took": took,
    }


def shuffles(session: Session) -> dict[str, int]:
    """How often Spark's plan for nDCG and recall at 10 shuffles rows, where no table is broadcast."""
    session.run("SET spark.sql.adaptive.enabled = false")
    session.run("SET spark.sql.autoBroadcastJoinThreshold = -1")
    found = {
        f"{text}{' with keys' if unique else ''}": session.run(f"EXPLAIN {sql}")[0][0].count(
            "Exchange hashpartitioning"
        )
        for unique in (False, True)
        for text, sql in texts("spark", "two", unique).items()
    }
    session.run("RESET")
    return found


def run_engine(name: str, groups: Sequence[str], rows: int, rounds: int, scratch: Path) -> dict[str, Any]:
    """All that is measured of an engine."""
    engine = ENGINES[name]
    rows = min(rows, engine.largest or rows)
    data = partial(prepared, scale=1)
    folder, small = (data(Job("", (), "engines", size // LENGTH)) for size in (rows, min(rows, FEW)))
    found: dict[str, Any] = {"rows": rows, "version": version(engine.distribution) if engine.distribution else ""}
    with engine.start(scratch) as session:
        session.load(repeated(small, scratch))
        check(session, texts(name, "accuracy", False), f"{name}, with repeated rows")
        session.load(folder)
        if name == "spark":
            found["shuffles"] = shuffles(session)
            print(f"shuffles of nDCG and recall at 10: {found['shuffles']}", file=sys.stderr, flush=True)
        for group in (group for group in groups if group in engine.groups):
            for unique in (False, True):
                key, written = f"{group} with keys" if unique else group, texts(name, group, unique)
                check(session, written, f"{name}, {key}")  # which warms up
                found[key] = compared(measure(session, written, rounds))
                print(f"{name}, {key}: {found[key]['ratio']:.2f} {found[key]['to']}", file=sys.stderr, flush=True)
    return found


def written_before() -> dict[str, Any]:
    """The results of all engines that results.json has."""
    before = json.loads(RESULTS.read_text(encoding="utf-8")).get("engines", {})
    return dict(before.get("engines", {}))


def show(found: dict[str, Any]) -> None:
    """Print the ratios as a table of Markdown: one line per engine and set of metrics."""
    print("| engine | rows | metrics | ours / hand | with keys | the fastest by hand |")
    print("|---|---|---|---|---|---|")
    for name, one in found.items():
        for group in (group for group in MEASURED if group in one):
            plain, keyed = one[group], one[f"{group} with keys"]
            fastest = " / ".join(dict.fromkeys(part["fastest"] for part in (plain, keyed)))
            print(
                f"| {ENGINES[name].called} | {one['rows']:,} | {group} | {plain['ratio']:.2f} | {keyed['ratio']:.2f} "
                f"| {fastest} |"
            )


def main() -> None:
    """Make the data if it is not there, measure, write and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=ENGINES, action="append", help="without it, all")
    parser.add_argument("--metrics", choices=MEASURED, action="append", help="which set; without it, all")
    parser.add_argument("--rows", type=int, default=ROWS, help="recommendations; SQLite has a million at most")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true", help="few rows, once, written nowhere")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    measured = {}
    for name in given.engine or ENGINES:
        with ExitStack() as stack:
            scratch = Path(tempfile.mkdtemp(prefix="rankmetrics-bench-"))
            stack.callback(shutil.rmtree, scratch, ignore_errors=True)
            rows, rounds = (FEW, 1) if given.quick else (given.rows, given.rounds)
            measured[name] = {
                **run_engine(name, given.metrics or MEASURED, rows, rounds, scratch),
                "rounds": rounds,
                "load": [round(load, 2), round(os.getloadavg()[0], 2)],
            }
        if not given.quick:
            write("engines", {**where(load), "engines": written_before() | measured})
    show(measured)


if __name__ == "__main__":
    main()
