"""A table with what its columns are for: `rm.Input(truth, lists=["user"])`, wherever a table is given."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, fields
from typing import Any, Literal

from rankmetrics.errors import OF_INPUT, READING, ColumnError, InputError, Option, choices_for
from rankmetrics.inputs.columns import ROLES, Columns
from rankmetrics.inputs.sources import EXTRAS, RANKED


@dataclass(frozen=True, eq=False)
class Groups:
    """Scores or labels of documents, one row each, and the groups that the rows belong to."""

    values: Any  # the scores or labels, or a mapping from systems to scores
    group: Any  # the size of each group, or the data of a trainer that has the groups


@dataclass(frozen=True, eq=False, repr=False)
class Input:
    r"""A table with what its columns are for, in place of the table alone.

    Args:
        table: the table, of any kind that `evaluate` takes; in `to_sql`, its name.
        columns: the columns of item, rank, score, rating and so on, where they have unusual names: an `rm.Columns`, or
            a mapping from role to column, as in `{"item": "sku"}`. Those of the recommendations hold for the truth,
            too, unless it has its own.
        lists: the list columns of the table. Of the recommendations: the columns that identify a list, the same as
            `lists=`. Of the truth: those that it shares; by default those that it has, also under another usual name
            (`user_id` for `userId`). Without a truth: those that all systems share. Of another input: those by which
            it belongs to lists; with `["user"]`, a history that has a column `day` is one history for all days. Items
            and catalogues may differ by days or other folds, never by users.
        until: for a history, a list column such as `day`: the history of a list is the rows of earlier days, and not
            the rows of its own day.
        cold_start: for a history, whether all lists may be of users that it does not have. Otherwise, a history that
            has none of the recommendations' lists is refused for metrics that read the history of each list, such as
            `unseen`.
        format: the format of files whose names do not tell, such as `trec` (runs, and qrels as the truth), `movielens`
            (`u.data`, `ratings.dat`), `recbole` or `csv`; the page Shapes lists them.
        header: for CSV and TSV, the names of the columns of a file without a header line.
        separator: for CSV and TSV, the text between two columns; by default the header tells.
        quote: for CSV and TSV, the character around cells; by default `"` in CSV, and none in TSV.
        decimal: for CSV and TSV, the decimal mark of numbers, such as `,`.
        thousands: for CSV and TSV, the mark between thousands, such as `,`.
        nulls: for CSV and TSV, a text that means NULL, or several, such as `\N`; an empty cell means NULL, too.
        encoding: for CSV and TSV, `latin-1` or `utf-16`; by default UTF-8.
        cells: for text files, how cells hold lists: the separator between two elements, `" "`, or `"json"` or
            `"python"` for lists in brackets. Where several columns may be meant, a mapping: `{"items": " "}`.
        files_as: for recommendations in several files. The name of a list column that holds the file of each row, as in
            `files_as="system"` where each file holds one system; or `"parts"` where the files are parts of one
            table. Without it, files that hold the same item of the same list twice are refused.
        rank_from: for recommendations, the rank of the first item of a list: 1, or 0.
        group: for arrays of scores or labels with a row per document, as trainers of rankers have them: the size of
            each group, as in `[3, 5]`, or an object that has the groups: a `Dataset` of LightGBM, a `DMatrix` of
            XGBoost, a `Pool` of CatBoost. The lists are the groups, numbered from 0 in the column `user`, and the
            items are the numbers of the rows.

    Raises:
        ColumnError: `columns` names a role that there is not.
        InputError: when it is used, an option does not belong to this input, such as `until` to a truth.

    Example:
        >>> import polars as pl
        >>> import rankmetrics as rm
        >>> recs = pl.LazyFrame({"user": [1, 1], "sku": ["a", "b"], "place": [0, 1]})
        >>> truth = pl.LazyFrame({"user": [1], "bought": ["b"]})
        >>> result = rm.evaluate(
        ...     rm.Input(recs, columns={"item": "sku", "rank": "place"}, rank_from=0),
        ...     rm.Input(truth, columns={"item": "bought"}),
        ...     ["rr"],
        ... )
        >>> result.summary().collect()["rr"].item()
        0.5
    """

    table: Any
    _: KW_ONLY
    columns: Columns | Mapping[str, Any] | None = None
    lists: str | Sequence[str] | None = None
    until: str | None = None
    cold_start: bool = False
    format: str | None = None
    header: Sequence[str] | None = None
    separator: str | None = None
    quote: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    nulls: str | Sequence[str] | None = None
    encoding: str | None = None
    cells: str | Mapping[str, str] | None = None
    files_as: str | None = None
    rank_from: Literal[0, 1] = 1
    group: InitVar[Any] = None

    def __post_init__(self, group: Any) -> None:
        if isinstance(self.columns, Mapping):
            roles = [*ROLES, "lists"]
            for role in self.columns:
                if role not in roles:
                    raise ColumnError(f"{role!r} is not the role of a column: there are {choices_for(role, roles)}")
            object.__setattr__(self, "columns", Columns(**self.columns))
        if isinstance(self.table, Input):
            raise InputError("rm.Input wants a table, and not another rm.Input.")
        if group is not None:
            object.__setattr__(self, "table", Groups(self.table, group))

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.given.items())
        return f"Input({type(self.table).__name__}{given})"

    @property
    def given(self) -> dict[str, Any]:
        """The options that differ from their default, by name."""
        return {each.name: value for each in fields(self)[1:] if (value := getattr(self, each.name)) != each.default}


def flat_options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `evaluate` as options of a Request: an rm.Input becomes its table, and options as `truth_lists`.

    >>> flat_options({"recs": "a.parquet", "truth": Input("b.parquet", lists=["user"])})
    {'recs': 'a.parquet', 'truth': 'b.parquet', 'truth_lists': ['user']}
    """
    names = {("recs", "lists"): "lists", **{place: option for option, place in OF_INPUT.items()}}
    options = {name: value.table if isinstance(value, Input) else value for name, value in arguments.items()}
    for name, value in arguments.items():
        if isinstance(options[name], Groups) and name not in (*RANKED, "truth"):
            raise InputError(f"'group' is not an option of {name!r}, but of 'recs', 'truth' and 'baseline'.")
        for field, given in value.given.items() if isinstance(value, Input) else ():
            if field == "format" or field in READING:
                text = given if field == "format" else f"{field}={json.dumps(given)}"
                options["format"] = [*options.get("format", ()), f"{name}: {text}"]
            elif field == "columns" and name in EXTRAS:
                options["extra_columns"] = {**options.get("extra_columns", {}), name: given}
            elif (option := names.get((name, field))) is None:
                owners = [owner for owner, of_owner in names if of_owner == field]
                raise InputError(f"{field!r} is not an option of {name!r}, but of {' and '.join(map(repr, owners))}.")
            elif option == "lists" and options.get(option) is not None:
                twice = Option("lists", [given] if isinstance(given, str) else [*given])
                raise InputError(f"The lists of the recommendations are given twice: leave out {twice}.")
            else:
                options[option] = given
    return options


def refuse_idle_options(options: Mapping[str, Any]) -> None:
    """Refuse options of an input that was not given, and columns of an input that there is not.

    Without a truth, `truth_lists` are the list columns that all systems share.
    """
    for option, (name, _) in OF_INPUT.items():
        is_given = options.get(option) not in (None, False) and option != "truth_lists"
        if is_given and name != "recs" and options.get(name) is None:
            raise ColumnError(f"{Option(option, is_noun=True)} is given, and no {Option(name)} was given.")
    extra = Option("extra_columns", is_noun=True)
    for name, columns in (options.get("extra_columns") or {}).items():
        if name not in EXTRAS:
            raise ColumnError(f"{extra} names {name!r}, which is not an input: there are {choices_for(name, EXTRAS)}")
        if options.get(name) is None:
            raise ColumnError(f"{extra} names columns of {name!r}, and no {Option(name)} was given.")
        if not isinstance(columns, Columns):
            raise ColumnError(f"The columns of {name!r} must be named by an rm.Columns: {columns!r} is not.")


def is_of_input(option: str) -> bool:
    """True if functions take an option of a Request as an option of rm.Input."""
    return option in OF_INPUT or option in ("extra_columns", "format")
