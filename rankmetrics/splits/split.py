"""`rm.split`: interactions as train and test, lazily, in the caller's own kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rankmetrics._files import whole_file
from rankmetrics.dialects import base as dialects
from rankmetrics.dialects.model import NamesOfJob
from rankmetrics.engines.base import Engine
from rankmetrics.engines.opening import open_engine
from rankmetrics.errors import DataError, InputError, Option, names
from rankmetrics.metrics.parameter import Setting
from rankmetrics.splits.methods import check_method, filter_parameters
from rankmetrics.splits.plan import INTERACTIONS, SplitPlan, plan_split

if TYPE_CHECKING:
    import polars as pl

Subset = Literal["train", "test", "history", "rows"]

# What a split returns; each is a file of sql/splits/subsets.
SUBSETS: tuple[Subset, ...] = ("train", "test", "history", "rows")


def split(
    interactions: object,
    method: str = "random",
    *,
    user: str | None = None,
    item: str | None = None,
    time: str | None = None,
    rating: str | None = None,
    connection: object | None = None,
    dialect: str | None = None,
    memory_limit: str | None = None,
    **parameters: Any,
) -> Split:
    """Split interactions into train and test, lazily: schemas are checked here, data when you ask for numbers.

    The same method, parameters and seed give the same rows on every engine: what is random follows from MD5 hashes of
    the ids. Rows without a user or an item, or without a time that the method needs, are in no subset; `collect`,
    `write` and `check` refuse them.

    Args:
        interactions: one row each: a user, an item and, for methods by time, a time. A Polars frame, a DuckDB relation,
            a path, a list of paths or a glob, the name of a table with `connection`, a pandas or Arrow table, a Spark
            DataFrame, an Ibis table, or a SELECT.
        method: `random` (rows), `users` (some items of some users), `last_n`, `leave_one_out`, `per_user_fraction`,
            `time` (a cut), `sliding` (time windows) or `kfold`; docs/splits.md describes them.
        user: the column of the user, where it does not have a usual name such as `user_id`.
        item: the column of the item.
        time: the column of the time.
        rating: the column of the rating, which only the filter `repeats` reads.
        connection: where tables are named, as in evaluate.
        dialect: the SQL dialect of the connection, where its module does not tell.
        memory_limit: such as `"2GB"`, for files and frames larger than memory, as in evaluate.
        parameters: those of the method, such as `test_fraction=0.2`, `seed=1`, `at="2024-01-01"`; and the filters
            `repeats`, `k_core` (with `rounds`), `cold_users` and `cold_items`.

    Returns:
        A Split: `train`, `test`, `history` and `rows` are lazy, in the kind of the interactions. Methods with folds or
        windows add a column `partition`.

    Raises:
        MetricError: the method or a parameter is unknown, or a value is out of its range.
        ColumnError: a column is missing, ambiguous, or of a type that does not fit its role.
        InputError: the interactions are empty, cannot be read, or are of no known kind.

    Example:
        >>> import polars as pl
        >>> clicks = pl.LazyFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "day": [1, 2, 1, 4]})
        >>> train, test = split(clicks, "time", at=2)
        >>> test.collect().sort("user").rows()
        [(1, 8, 2), (2, 9, 4)]
    """
    name = check_method(method)
    inputs = {INTERACTIONS: interactions}
    engine = open_engine(
        inputs, interactions, connection, dialect, memory_limit=memory_limit, needs_md5=True, keeps_types=True
    )
    columns = {"user": user, "item": item, "time": time, "rating": rating}
    return Split(engine, plan_split(name, parameters, columns, engine.inputs[INTERACTIONS].schema))


class Split:
    """The train and test rows of a split, as `split` returns them.

    Everything is lazy but `collect`, `write` and `check`: these compute, and raise an error if the split would be
    misleading. A Split unpacks into train and test.

    Example:
        >>> import polars as pl
        >>> clicks = pl.LazyFrame({"user": [1, 1, 2, 2], "item": [7, 8, 7, 9], "day": [1, 2, 1, 4]})
        >>> split(clicks, "last_n", n=1).collect("test").sort("user").rows()
        [(1, 8, 2), (2, 9, 4)]
    """

    def __init__(self, engine: Engine, plan: SplitPlan) -> None:
        self._engine = engine
        self._plan = plan

    @property
    def train(self) -> Any:
        """The rows to fit a model on, in the caller's own kind."""
        return self._lazy("train")

    @property
    def test(self) -> Any:
        """The rows that are held out, in the caller's own kind."""
        return self._lazy("test")

    @property
    def history(self) -> Any:
        """The known interactions of each test user: the `history` of an evaluation.

        They are in train, too. The exception is the method `users` with `mode="separated"`, which fits the model on
        other users.
        """
        return self._lazy("history")

    @property
    def rows(self) -> Any:
        """The rows that the filters keep, with their `subset`: train, test, history (not in train), or NULL."""
        return self._lazy("rows")

    def __iter__(self) -> Iterator[Any]:
        return iter((self.train, self.test))

    def __repr__(self) -> str:
        filters = filter_parameters()
        values = {
            name: value
            for name, value in self.parameters.items()
            if value is not None and (name not in filters or value != filters[name].default)
        }
        arguments = [f"{name}={value!r}" for name, value in values.items()]
        return f"Split({', '.join([repr(self._plan.method), *arguments])})"

    @property
    def parameters(self) -> dict[str, Setting | None]:
        """The value of every parameter of the method and of the filters."""
        return dict(self._plan.values)

    def account(self) -> Any:
        """Rows, users and items of each subset: lazy, with the columns subset, n_rows, n_users and n_items.

        The subset `neither` counts rows that are in no subset, as those within a gap. Methods with folds or windows
        have a row for each `partition` and subset.
        """
        return self._lazy("account")

    def check(self) -> None:
        """Check the interactions and the subsets: raise an error if the split would be misleading, and return nothing.

        Raises:
            DataError: the interactions have no rows; a user, an item or a time is NULL; train or test is empty, also in
                one fold or window; or k_core has not finished after its rounds.
            EngineError: the engine refused a query.
        """
        ((n_rows, n_without_user, n_without_item),) = self._rows("facts")
        if not n_rows:
            raise DataError("The interactions have no rows, so there is nothing to split.")
        for role, n_nulls in (("user", n_without_user), ("item", n_without_item)):
            self._refuse_nulls(role, n_nulls, n_rows)
        span = ""
        if self._plan.columns["time"] is not None:
            ((n_without_time, first, last),) = self._rows("time_facts")
            self._refuse_nulls("time", n_without_time, n_rows)
            span = f" The times of the interactions go from {first} to {last}."
        ((n_kept,),) = self._rows("kept")
        k = self._plan.values["k_core"]
        if not n_kept:
            lower_k = () if k is None else (" Lower ", Option("k_core", k), ".")
            raise DataError(f"The filters leave out all of the {n_rows} interactions.", *lower_k)
        if k is not None:
            self._refuse_unfinished(n_kept)
        self._refuse_empty(span)

    def _refuse_nulls(self, role: str, n_nulls: int, n_rows: int) -> None:
        if n_nulls:
            column = str(self._plan.columns[role])
            null = "NULL or NaN" if self._plan.schema[column].family == "float" else "NULL"
            raise DataError(
                f"{n_nulls} of the {n_rows} interactions have no {role}: the column {column!r} is {null} there. "
                "Drop these rows first."
            )

    def _refuse_unfinished(self, n_kept: int) -> None:
        ((n_after_another,),) = self._rows("kept", rounds=1)
        if n_after_another < n_kept:
            k, rounds = self._plan.values["k_core"], self._plan.values["rounds"]
            assert isinstance(rounds, int)
            raise DataError(
                f"After {rounds} rounds of k_core, another round would still leave out {n_kept - n_after_another} of "
                f"{n_kept} rows, since some users or items have fewer than {k} interactions. Use more rounds: ",
                Option("rounds", min(2 * rounds, 30)),
                ".",
            )

    def _refuse_empty(self, span: str) -> None:
        """Refuse a split with an empty train or test, or a fold or window with one."""
        plan = self._plan
        subsets: dict[object, set[object]] = {}
        if plan.method in ("kfold", "sliding"):
            n = plan.values["folds" if plan.method == "kfold" else "windows"]
            assert isinstance(n, int)
            subsets = {number: set() for number in range(1, n + 1)}
        for row in self._rows("account"):
            partition, subset = (row[0], row[1]) if plan.has_partitions else (None, row[0])
            subsets.setdefault(partition, set()).add(subset)
        for partition, there in sorted(subsets.items(), key=str):
            where = "" if partition is None else f" in partition {partition}"
            for subset in ("train", "test"):
                if subset not in there:
                    raise DataError(f"{plan.method} leaves {subset} empty{where}.{span}", *_cure(plan))

    def collect(self, subset: Subset = "test") -> pl.DataFrame:
        """A subset, computed and checked, as a Polars frame.

        Args:
            subset: train, test, history or rows.

        Raises:
            InputError: there is no such subset.
            DataError, EngineError: as `check` does.
        """
        _check_subset(subset)
        self.check()
        return self._engine.collect(self._lazy(subset))

    def write(self, folder: str | Path, subsets: Sequence[Subset] = ("train", "test")) -> list[Path]:
        """Compute and check subsets into Parquet files of a folder, such as `train.parquet`; returns their paths.

        The folder is made if it is not there. The files are there whole or not at all.

        Raises:
            InputError: a file cannot be written, or there is no such subset.
            DataError, EngineError: as `check` does.
        """
        for name in subsets:
            _check_subset(name)
        self.check()
        there = Path(folder)
        paths = [there / f"{subset}.parquet" for subset in subsets]
        try:
            there.mkdir(parents=True, exist_ok=True)
            with ExitStack() as files:
                temporary = [files.enter_context(whole_file(path)) for path in paths]
                for subset, path in zip(subsets, temporary, strict=True):
                    self._engine.write(self._lazy(subset), path, "parquet")
        except OSError as error:
            raise InputError(f"Cannot write into {str(folder)!r}: {error.strerror or error}.") from error
        return paths

    def to_sql(
        self,
        dialect: str | None = None,
        subset: Subset = "rows",
        *,
        interactions: str | None = None,
        quote_names: bool = False,
    ) -> str:
        """The query of a subset, as text; by default of all rows with their subset.

        Args:
            dialect: any that rm.to_sql has; by default the engine's own.
            subset: train, test, history or rows.
            interactions: what the table of interactions is called there, as in `db.clicks`. By default DuckDB's text
                keeps the files and tables that were given; elsewhere the table is called after its file.
            quote_names: keep the case of all names; by default they get the case that the dialect gives names without
                quotes.

        Raises:
            InputError: there is no such subset.
            DialectError: the dialect is unknown, or cannot express the query, as MD5 in SQLite.
        """
        _check_subset(subset)
        written, source = dialect or self._engine.dialect, self._engine.inputs[INTERACTIONS]
        is_elsewhere, fold = written != self._engine.dialect, not quote_names
        plan = self._plan
        if is_elsewhere and fold:
            plan = plan.renamed(partial(dialects.column_name, dialect=written))
        keeps = interactions is None and not is_elsewhere and source.travels
        table = source.table if keeps else source.elsewhere(interactions, written, fold=fold)
        job = NamesOfJob(kept=frozenset(plan.schema), fold=fold)
        return dialects.text(plan.query(subset, table), written, job=job)

    def _lazy(self, subset: str, *, rounds: int = 0) -> Any:
        source = self._engine.inputs[INTERACTIONS].table
        query = self._plan.query(subset, source, self._engine.taken, rounds=rounds)
        text = dialects.text(query, self._engine.dialect, pretty=False)
        return self._engine.run(text, self._plan.returned(subset))

    def _rows(self, subset: str, *, rounds: int = 0) -> list[tuple[Any, ...]]:
        return self._engine.rows(self._lazy(subset, rounds=rounds))


def _check_subset(subset: str) -> None:
    if subset not in SUBSETS:
        raise InputError(Option("subset", subset, is_noun=True), f" must be one of {names(SUBSETS)}.")


def _cure(plan: SplitPlan) -> list[str | Option]:
    """Advice for an empty train or test: the parameters of the method, and the filters that are on."""
    cure: list[str | Option] = []
    for name, value in plan.values.items():
        if value is not None and name not in ("seed", "rounds") and value not in ("keep", "all"):
            cure += [", " if cure else " Change ", Option(name, value)]
    if "seed" in plan.values:
        cure += [" or " if cure else " Change ", Option("seed", plan.values["seed"])]
    return [*cure, "."]
