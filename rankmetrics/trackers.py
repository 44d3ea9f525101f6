"""rm.log: writes the numbers of a result into an experiment tracker: MLflow, Weights & Biases, or a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import Any

import rankmetrics as rm
from rankmetrics.dialects.rewrites import plain
from rankmetrics.errors import InputError, Option, did_you_mean, importing, names
from rankmetrics.reports.report import report as write_report
from rankmetrics.results.result import Result
from rankmetrics.sqltree.names import free_name

# A summary of more rows is not a leaderboard, and no tracker shows it.
MOST_ROWS = 1000


def system_path(values: tuple[object, ...]) -> str:
    """The values that name a row of a summary, as a path whose parts every tracker takes.

    MLflow takes letters, digits, underscores, dashes, periods, spaces, colons and slashes.

    >>> system_path(("als v2", 64)), system_path(("bert/base@10", "..")), system_path(())
    ('als v2/64', 'bert_base_10/_', '')
    """
    parts = [re.sub(r"[^A-Za-z0-9_\-. ]", "_", str(value)).strip() for value in values]
    return "/".join(part if part.strip(".") else "_" for part in parts)


def _metrics(result: Result, prefix: str) -> Iterator[tuple[str, float]]:
    """The numbers of the summary, each with its name; undefined ones are left out."""
    summary, by = result.collect(), result.layout.by
    if summary.height > MOST_ROWS:
        raise InputError(
            f"The summary has {summary.height:,} rows, and a tracker shows few: keep fewer columns with "
            f"{Option('by')}, and log the rows as a file with per_list=True."
        )
    columns: dict[str, str] = {}
    for label in summary.columns[len(by) :]:
        columns[label] = free_name(plain(label), columns.values(), "_")
    names: list[str] = []
    for row in summary.iter_rows(named=True):
        values = tuple("all" if row[name] is None else row[name] for name in by)
        system = free_name(system_path(values), names, "_")
        names.append(system)
        path = f"{prefix}{system}/" if system else prefix
        yield from ((f"{path}{name}", float(row[label])) for label, name in columns.items() if row[label] is not None)


def _params(result: Result) -> dict[str, str]:
    """The settings of the evaluation, as texts."""
    layout = result.layout
    lists = {
        "metrics": [metric.text for metric in result.metrics],
        "aggregates": map(str, result.aggregates),
        "lists": layout.lists,
        "truth_lists": layout.truth_lists,
        "by": layout.by,
        **{name: files.paths for name, files in result._engine.files.items()},
    }
    joined = {name: ", ".join(values) for name, values in lists.items()}
    return {"rankmetrics": rm.__version__, "engine": result._engine.name, **joined}


# The most metrics and the most params that MLflow takes at once, and its longest value of a param.
METRICS_AT_ONCE, PARAMS_AT_ONCE, LONGEST_PARAM = 1000, 100, 6000

# Writes numbers, settings and files into a run; None is the run that is active, or a new one.
Target = Callable[[Mapping[str, float], Mapping[str, str], Sequence[Path], Any], None]


def to_mlflow(numbers: Mapping[str, float], settings: Mapping[str, str], files: Sequence[Path], run: Any) -> None:
    """Write into a run of MLflow: a Run, the id of a run, the active run, or a new run."""
    with importing("This needs MLflow, which is not installed", "mlflow"):
        mlflow, entities = map(import_module, ("mlflow", "mlflow.entities"))
    client, now = mlflow.MlflowClient(), int(time() * 1000)
    metrics = [entities.Metric(name, value, now, 0) for name, value in numbers.items()]
    params = [entities.Param(name, text[:LONGEST_PARAM]) for name, text in settings.items()]
    with ExitStack() as stack:  # a new run ends with it
        if run is None:
            run = mlflow.active_run() or stack.enter_context(mlflow.start_run())
        run_id = run if isinstance(run, str) else run.info.run_id
        for kind, values, most in (("metrics", metrics, METRICS_AT_ONCE), ("params", params, PARAMS_AT_ONCE)):
            for start in range(0, len(values), most):
                client.log_batch(run_id, **{kind: values[start : start + most]})
        for file in files:
            client.log_artifact(run_id, str(file))


def to_wandb(numbers: Mapping[str, float], settings: Mapping[str, str], files: Sequence[Path], run: Any) -> None:
    """Write into a run of Weights & Biases: a Run, the active run, or a new run."""
    with importing("This needs Weights & Biases, which is not installed", "", "wandb"):
        wandb = import_module("wandb")
    is_new = run is None and wandb.run is None
    chosen = wandb.init() if is_new else run or wandb.run
    chosen.config.update(settings, allow_val_change=True)
    chosen.log(numbers)
    for file in files:
        artifact = wandb.Artifact(file.stem, type="evaluation")
        artifact.add_file(str(file))
        chosen.log_artifact(artifact)
    if is_new:
        chosen.finish()


# The trackers by name.
TARGETS: Mapping[str, Target] = {"mlflow": to_mlflow, "wandb": to_wandb}


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
            f"{Option('to', is_noun=True)} is one of {names(TARGETS)}, or a function: {to!r} is not.{near}"
        )
    if callable(to) and (per_list or report or run is not None):
        options = f"{Option('per_list')}, {Option('report')} and {Option('run')}"
        raise InputError(f"A function gets names and numbers alone: leave out {options}.")
    settings = {f"{prefix}{name}": text for name, text in _params(result).items()}
    numbers = dict(_metrics(result, prefix))
    if callable(to):
        for name, value in numbers.items():
            to(name, value)
        return numbers
    files: list[Path] = []
    with TemporaryDirectory(prefix="rankmetrics-") as folder:
        if per_list:
            files.append(Path(folder) / "per_list.parquet")
            result.write(files[-1], per_list=True)
        if report:
            files.append(Path(folder) / "report.html")
            write_report(result, files[-1])
        TARGETS[to](numbers, settings, files, run)
    return numbers
