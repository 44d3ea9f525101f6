"""The methods and filters of sql/splits, and their parameters, found by parsing the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean, names
from rankmetrics.metrics.definition import Definition, read
from rankmetrics.metrics.parameter import Parameter, Value, read_parameter
from rankmetrics.sqltree import tree

# The parameters from which a name in a file follows, where the name is no parameter itself.
DERIVED: Mapping[str, tuple[str, ...]] = {
    "test_fraction_hash": ("test_fraction",),
    "test_from": ("at",),
    "train_until": ("at", "gap"),
    "train_from": ("train_width",),
    "folds": ("folds",),
    "windows": ("at", "width", "step", "train_width", "gap", "windows"),
    "hashed": ("seed",),
}

# Parameters whose values are a time, and lengths of time: they depend on the type of the time column.
TIMES, SPANS = ("at",), ("gap", "width", "step", "train_width")

# The filters in the order in which they apply, each with its further parameters.
FILTERS: Mapping[str, tuple[str, ...]] = {"repeats": (), "k_core": ("rounds",), "cold_users": (), "cold_items": ()}

# The filters that read the rows with their subsets.
AFTER = ("cold_users", "cold_items")


@cache
def files() -> Mapping[str, Mapping[str, Definition]]:
    """The files of sql/splits by folder (the methods are in the folder ``) and name."""
    root, found = sql_folder() / "splits", {}
    for folder in ("", "filters", "steps", "subsets", "parameters"):
        there = (root / folder if folder else root).iterdir()
        paths = {one.name.removesuffix(".sql"): one for one in there if one.name.endswith(".sql")}
        found[folder] = {
            stem: read(path.read_text(encoding="utf-8"), f"splits/{folder}/{path.name}", "split", stem)
            for stem, path in sorted(paths.items())
        }
    return found


def methods() -> list[str]:
    """The names of the methods.

    >>> methods()
    ['kfold', 'last_n', 'leave_one_out', 'per_user_fraction', 'random', 'sliding', 'time', 'users']
    """
    return sorted({name.partition(".")[0] for name in files()[""]})


def check_method(method: object) -> str:
    """The name of a method.

    Raises:
        MetricError: there is no such method.
    """
    if method not in methods():
        raise MetricError(
            f"There is no method {method!r} of splitting: there are {names(methods())}."
            f"{did_you_mean(str(method), methods())}"
        )
    return str(method)


@cache
def parameters(method: str) -> Mapping[str, Parameter]:
    """The parameters of a method, by name, without those of the filters.

    >>> [*parameters("leave_one_out")]
    ['min_history', 'pick', 'seed']
    """
    of_method = [file for name, file in files()[""].items() if name.partition(".")[0] == method]
    read_names = {name for file in of_method for name in (*file.placeholders, *tree.tables_read(file.select))}
    read_names |= {"mode"} if method == "users" else set()
    known = {own for name in read_names for own in DERIVED.get(name, (name,))}
    return {name: found for name in sorted(known) if (found := _parameter(name, method)) is not None}


@cache
def filter_parameters() -> Mapping[str, Parameter]:
    """The parameters of the filters, which every method takes."""
    found = {name: _parameter(name, "") for of_filter, more in FILTERS.items() for name in (of_filter, *more)}
    return {name: one for name, one in found.items() if one is not None}


def _parameter(name: str, method: str) -> Parameter | None:
    """A parameter, by the method's own file of it where there is one; None for other names, such as of steps."""
    known = files()["parameters"]
    file = known.get(f"{method}.{name}") or known.get(name)
    return read_parameter(file, name) if file else None


def checked(method: str, given: Mapping[str, object]) -> dict[str, Value | None]:
    """The value of every parameter of a method and of the filters: the given one, checked, or the default.

    Values of TIMES and SPANS are returned as they are given.

    Raises:
        MetricError: the method has no such parameter, or the value is out of its range.
    """
    known = {**parameters(method), **filter_parameters()}
    for name in given:
        if name not in known:
            raise MetricError(_unknown(name, method, known))
    values = {name: _value(one, method, given.get(name)) for name, one in known.items()}
    if values.get("at") is not None and "test_fraction" in values:
        values["test_fraction"] = None  # the cut is at a time, and not at a share of the rows
    return values


def _value(parameter: Parameter, method: str, value: object) -> Value | None:
    if value is None:
        return parameter.default
    if parameter.name in (*TIMES, *SPANS):
        return value  # type: ignore[return-value]  # times.py checks it against the type of the time column
    if isinstance(value, bool) and {*parameter.choices} == {"no", "yes"}:
        value = "yes" if value else "no"
    return parameter.check(method, value)


def _unknown(name: str, method: str, known: Iterable[str]) -> str:
    others = [one for one in methods() if name in parameters(one)]
    elsewhere = f" It is a parameter of {names(others)}." if others else ""
    return f"{method} has no parameter {name!r}: it has {names(known)}.{did_you_mean(name, known)}{elsewhere}"


def file_of(method: str, values: Mapping[str, Value | None]) -> Definition:
    """The file of a method for these values: that of a choice, such as `users.all`, or the method's own."""
    variants = [f"{method}.{values[name]}" for name, one in parameters(method).items() if one.choices]
    if method == "time" and values["at"] is None:
        variants.append("time.quantile")
    found = next((variant for variant in variants if variant in files()[""]), method)
    return files()[""][found]


def filters_of(values: Mapping[str, Value | None], *, after: bool) -> list[tuple[Definition, int]]:
    """The files of the filters that these values ask for, each with how often it applies.

    Args:
        values: the values of the parameters.
        after: whether those that read the rows with their subsets, or those before the split.
    """
    found = []
    for name in FILTERS:
        value = values[name]
        if (name in AFTER) == after and value != filter_parameters()[name].default:
            file = files()["filters"].get(f"{name}.{value}") or files()["filters"][name]
            rounds = values["rounds"] if name == "k_core" else 1
            assert isinstance(rounds, int)
            found.append((file, rounds))
    return found
