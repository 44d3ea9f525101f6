"""The trackers: a function for each, which writes what is logged of a result into a run."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import time
from typing import Any

from rankmetrics.errors import InputError
from rankmetrics.trackers.values import Logged

# The most metrics and the most params that MLflow takes at once, and its longest value of a param.
METRICS_AT_ONCE, PARAMS_AT_ONCE, LONGEST_PARAM = 1000, 100, 6000

# Writes into a run; None is the run that is active, or a new one.
Target = Callable[[Logged, Any], None]


def to_mlflow(logged: Logged, run: Any) -> None:
    """Write into a run of MLflow: a Run, the id of a run, the active run, or a new run.

    Raises:
        InputError: MLflow is not installed.
    """
    mlflow = _module("mlflow", "MLflow", "rankmetrics[mlflow]")
    entities = importlib.import_module("mlflow.entities")
    client, now = mlflow.MlflowClient(), int(time() * 1000)
    metrics = [entities.Metric(name, value, now, 0) for name, value in logged.metrics.items()]
    params = [entities.Param(name, text[:LONGEST_PARAM]) for name, text in logged.params.items()]
    with _run_of_mlflow(mlflow, run) as run_id:
        for place in range(0, len(metrics), METRICS_AT_ONCE):
            client.log_batch(run_id, metrics=metrics[place : place + METRICS_AT_ONCE])
        for place in range(0, len(params), PARAMS_AT_ONCE):
            client.log_batch(run_id, params=params[place : place + PARAMS_AT_ONCE])
        for file in logged.files:
            client.log_artifact(run_id, str(file))


@contextmanager
def _run_of_mlflow(mlflow: Any, run: Any) -> Iterator[str]:
    """The id of the run to write into. A new run ends with the block."""
    if run is None and mlflow.active_run() is None:
        with mlflow.start_run() as new:
            yield new.info.run_id
        return
    chosen = mlflow.active_run() if run is None else run
    yield chosen if isinstance(chosen, str) else chosen.info.run_id


def to_wandb(logged: Logged, run: Any) -> None:
    """Write into a run of Weights & Biases: a Run, the active run, or a new run.

    Raises:
        InputError: wandb is not installed.
    """
    wandb = _module("wandb", "Weights & Biases", "wandb")
    is_new = run is None and wandb.run is None
    chosen = wandb.init() if is_new else run or wandb.run
    chosen.config.update(logged.params, allow_val_change=True)
    chosen.log(logged.metrics)
    for file in logged.files:
        artifact = wandb.Artifact(file.stem, type="evaluation")
        artifact.add_file(str(file))
        chosen.log_artifact(artifact)
    if is_new:
        chosen.finish()


def _module(name: str, called: str, requirement: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise InputError(f"This needs {called}, which is not installed: pip install '{requirement}'.") from None


# The trackers by name.
TARGETS: Mapping[str, Target] = {"mlflow": to_mlflow, "wandb": to_wandb}
