"""rm.log: writes the numbers of a result into an experiment tracker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rankmetrics.errors import InputError, Option, did_you_mean, names
from rankmetrics.reports.facts import Wishes
from rankmetrics.reports.report import TITLE, write_report
from rankmetrics.results.result import Result
from rankmetrics.trackers.targets import TARGETS
from rankmetrics.trackers.values import logged_values


def log(
    result: Result,
    to: str | Callable[[str, float], object] = "mlflow",
    *,
    run: Any = None,
    prefix: str = "",
    per_list: bool = False,
    report: bool = False,
) -> dict[str, float]:
    """Write the numbers of the summary into an experiment tracker, under names that the tracker allows.

    A number of a system is called `system/metric`, as in `als/ndcg_at_10`. Where several columns name a row of the
    summary, each is a part of the path. Undefined numbers are left out. The settings of the evaluation (metrics, list
    columns, files, engine) are logged as params.

    Args:
        result: what `evaluate` returned.
        to: `mlflow`, `wandb`, or a function that is called with each name and number.
        run: the run to write into: a run of the tracker, or for MLflow its id. By default the active run; where none
            is active, a new run, which ends.
        prefix: what every name begins with, as in `"test/"`.
        per_list: whether a table with one row per list is kept as an artifact, `per_list.parquet`.
        report: whether the page of `rm.report` is kept as an artifact, `report.html`.

    Returns:
        The numbers, by the names under which they were logged.

    Raises:
        InputError: there is no such tracker, it is not installed, or the summary has too many rows.
        DataError: as Result.collect does.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.DataFrame({"model": ["als"], "user": [1], "item": [7], "rank": [1]})
        >>> truth = pl.DataFrame({"user": [1], "item": [7]})
        >>> _ = rm.log(rm.evaluate(recs, truth, "ndcg@10"), to=print)
        als/n_lists 1.0
        als/n_missing 0.0
        als/ndcg_at_10 1.0
    """
    if not callable(to) and to not in TARGETS:
        near = did_you_mean(str(to), TARGETS)
        raise InputError(
            Option("to", is_noun=True), f" is one of {names(TARGETS)}, or a function: {to!r} is not.{near}"
        )
    if callable(to) and (per_list or report or run is not None):
        options = (Option("per_list"), ", ", Option("report"), " and ", Option("run"))
        raise InputError("A function gets names and numbers alone: leave out ", *options, ".")
    logged = logged_values(result, prefix)
    if callable(to):
        for name, value in logged.metrics.items():
            to(name, value)
        return logged.metrics
    with TemporaryDirectory(prefix="rankmetrics-") as folder:
        if per_list:
            logged.files.append(Path(folder) / "per_list.parquet")
            result.write(logged.files[-1], per_list=True)
        if report:
            logged.files.append(Path(folder) / "report.html")
            write_report(result, logged.files[-1], Wishes(TITLE))
        TARGETS[to](logged, run)
    return logged.metrics
