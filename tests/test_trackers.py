"""rm.log: MLflow with a store of local files; Weights & Biases with a module that stands for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import rankmetrics as rm
from rankmetrics.errors import InputError

RECS = pl.DataFrame({"model": ["als v2", "bert/base"], "user": [1, 1], "item": [1, 9], "rank": [1, 1]})
TRUTH = pl.DataFrame({"user": [1, 2], "item": [1, 2], "rating": [1, 0]})
METRICS = ["ndcg(gain=linear)@10", "hit@1"]
NUMBERS = {
    "als v2/n_lists": 2.0,
    "als v2/n_missing": 1.0,
    "als v2/n_undefined": 1.0,
    "als v2/ndcg_gain_linear_at_10": 1.0,
    "als v2/hit_at_1": 1.0,
    "bert_base/n_lists": 2.0,
    "bert_base/n_missing": 1.0,
    "bert_base/n_undefined": 1.0,
    "bert_base/ndcg_gain_linear_at_10": 0.0,
    "bert_base/hit_at_1": 0.0,
}


@pytest.fixture
def result() -> rm.Result:
    return rm.evaluate(RECS, TRUTH, METRICS)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    yield mlflow.MlflowClient()
    mlflow.set_tracking_uri(before)


@pytest.mark.long
def test_mlflow_gets_the_numbers_the_settings_and_the_table_in_a_new_run(
    result: rm.Result, client: Any, tmp_path: Path
) -> None:
    assert rm.log(result, per_list=True, report=True) == pytest.approx(NUMBERS)
    (run,) = client.search_runs(["0"])
    assert run.data.metrics == pytest.approx(NUMBERS)
    assert run.info.status == "FINISHED"
    assert run.data.params == {
        "rankmetrics": rm.__version__,
        "engine": "Polars",
        "metrics": "ndcg(gain=linear)@10, hit@1",
        "aggregates": "mean",
        "lists": "model, user",
        "truth_lists": "user",
        "by": "model",
    }
    kept = client.download_artifacts(run.info.run_id, "per_list.parquet", str(tmp_path))
    page = client.download_artifacts(run.info.run_id, "report.html", str(tmp_path))
    assert "Evaluation report" in Path(page).read_text(encoding="utf-8")
    assert pl.read_parquet(kept).sort("model", "user").equals(result.collect(per_list=True).sort("model", "user"))


@pytest.mark.long
def test_mlflow_writes_into_the_run_that_is_active_or_named(result: rm.Result, client: Any) -> None:
    import mlflow

    with mlflow.start_run() as active:
        rm.log(result, prefix="test/")
        assert mlflow.active_run() is not None
    rm.log(result, run=active.info.run_id)
    rm.log(result, run=active, prefix="again/")
    (run,) = client.search_runs(["0"])
    expected = {f"{prefix}{name}": value for prefix in ("test/", "", "again/") for name, value in NUMBERS.items()}
    assert run.data.metrics == pytest.approx(expected)


def test_wandb_is_called_as_its_documentation_says(result: rm.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module is not the real one: only the calls are checked."""
    calls: list[tuple[str, Any]] = []

    class Artifact:
        def __init__(self, name: str, type: str) -> None:  # noqa: A002  # as wandb calls it
            calls.append(("artifact", (name, type)))

        def add_file(self, path: str) -> None:
            calls.append(("file", pl.read_parquet(path).height))

    run = SimpleNamespace(
        config=SimpleNamespace(update=lambda params, allow_val_change: calls.append(("config", params["by"]))),
        log=lambda numbers: calls.append(("log", numbers)),
        log_artifact=lambda _: calls.append(("log_artifact", None)),
        finish=lambda: calls.append(("finish", None)),
    )
    module = SimpleNamespace(run=None, Artifact=Artifact)
    module.init = lambda: vars(module).update(run=run) or run  # the new run is the active one
    monkeypatch.setitem(sys.modules, "wandb", module)
    rm.log(result, to="wandb", per_list=True)
    assert [name for name, _ in calls] == ["config", "log", "artifact", "file", "log_artifact", "finish"]
    assert dict(calls)["log"] == pytest.approx(NUMBERS)
    assert dict(calls)["artifact"] == ("per_list", "evaluation")
    calls.clear()
    rm.log(result, to="wandb")  # the run is still active
    assert [name for name, _ in calls] == ["config", "log"]


def test_a_function_gets_each_name_and_number(result: rm.Result) -> None:
    found: dict[str, float] = {}
    rm.log(result, to=found.__setitem__, prefix="x/")
    assert found == pytest.approx({f"x/{name}": value for name, value in NUMBERS.items()})


def test_equal_names_get_a_number_and_undefined_numbers_are_left_out() -> None:
    recs = RECS.with_columns(model=pl.Series(["a/b", "a_b"]))
    unrated = TRUTH.with_columns(rating=pl.lit(0))
    values = rm.log(rm.evaluate(recs, unrated, "recall@1"), to=lambda name, value: None)
    assert [name for name in values if "n_lists" in name] == ["a_b/n_lists", "a_b_2/n_lists"]
    assert not any("recall" in name for name in values)


def test_a_summary_of_one_row_has_no_system() -> None:
    values = rm.log(rm.evaluate(RECS, TRUTH, "hit@1", by=[]), to=lambda name, value: None, prefix="test/")
    assert [*values] == ["test/n_lists", "test/n_missing", "test/n_undefined", "test/hit_at_1"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"to": "mlfow"}, "to is one of 'mlflow' and 'wandb', or a function: 'mlfow' is not. Did you mean 'mlflow'"),
        ({"to": print, "per_list": True}, "A function gets names and numbers alone"),
    ],
)
def test_what_cannot_be_logged_is_refused(result: rm.Result, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        rm.log(result, **options)


def test_a_tracker_that_is_not_installed_is_named_with_its_package(
    result: rm.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)  # as if it were missing
    with pytest.raises(InputError, match=r"pip install 'rankmetrics-sql\[mlflow\]'"):
        rm.log(result)


def test_a_summary_of_many_rows_is_refused() -> None:
    users = pl.DataFrame({"user": range(1001), "item": range(1001), "rank": 1})
    with pytest.raises(InputError, match=r"The summary has 1,001 rows, and a tracker shows few"):
        rm.log(rm.evaluate(users, users.drop("rank"), "hit@1", by="user"), to=print)
