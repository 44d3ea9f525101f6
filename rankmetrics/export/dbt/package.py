"""A package of dbt: a macro and a model for each leaderboard of leaderboards.yml, in the SQL of every adapter."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf
from pathlib import Path
from string import Template
from typing import Any

from sqlglot import exp

from rankmetrics._files import packaged, whole_file
from rankmetrics.dialects.base import grammar, known, originals_last, unquoted
from rankmetrics.dialects.model import Form
from rankmetrics.dialects.rewrites import folded, plain
from rankmetrics.errors import (
    DialectError,
    InputError,
    Option,
    RankMetricsError,
    RankMetricsWarning,
    choices_for,
    importing,
    names,
    spelling,
    write_value,
)
from rankmetrics.export.query_text import sql_of
from rankmetrics.export.statements import without_header
from rankmetrics.messages import said
from rankmetrics.metrics.catalog import N_LISTS
from rankmetrics.metrics.metric import Metric, define_all, parse
from rankmetrics.metrics.summaries import MEAN, Interval, interval_of
from rankmetrics.options import FileReader, declaration_of, declared
from rankmetrics.request import Request
from rankmetrics.sqltree import tree

BOARDS = "leaderboards.yml"
PACKAGE = "rankmetrics"

# In the first line of every file that `write` makes; files without it belong to the user.
OURS = f"written by rankmetrics from {BOARDS}"
MARK = f"{OURS}: change that, and run `rankmetrics dbt write`"


@dataclass(frozen=True)
class Written:
    """The files that were written, and the files of earlier leaderboards that were removed."""

    files: Sequence[Path]
    removed: Sequence[Path]


def as_key(option: Option) -> str:
    """An option as leaderboards.yml takes it.

    >>> print(as_key(Option("columns", {"item": "sku"})), as_key(Option("lists", [...])), as_key(Option("history")))
    columns: {item: sku} lists: [...] `history:`
    """
    if option.value is None:
        return option.name if option.is_noun else f"`{option.name}:`"
    value = {option.of: option.value} if option.of else option.value
    return f"{option.name}: {write_value(value, _scalar, str)}"


def _scalar(value: object) -> str:
    """A text or another value of YAML."""
    if isinstance(value, str):
        return value if re.fullmatch(r"\w[\w./-]*", value) else f'"{value}"'
    return str(value).lower()


@spelling(as_key)
def init(folder: Path, adapter: str | None = None) -> Written:
    """Make a package to start from in a new or empty folder; by default for the adapter of the project's profile."""
    if (folder / PROJECT).exists():
        raise said(InputError, "is_project", folder=folder, within=folder / PACKAGE)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder, and the package needs one of its own.")
    yaml()
    around = enclosing(folder)
    owner = f"'{project_name(around)}', " if around else ""  # without it, dbt warns that a package reads from a project
    own_adapter = checked(adapter, "You named") if adapter else adapter_of(folder) or DEFAULT_ADAPTER
    start = _template(BOARDS).substitute(
        folder=folder, adapter=own_adapter, recs=f"ref({owner}'recs')", truth=f"ref({owner}'truth')"
    )
    project, settings = (_template(name).substitute() for name in (PROJECT, "sqlfluff.cfg"))
    own = {folder / PROJECT: project, folder / BOARDS: start, folder / ".sqlfluff": settings}
    _put(own)
    written = write(folder)
    return replace(written, files=[*own, *written.files])


@spelling(as_key)
def write(folder: Path) -> Written:
    """Write the macros, models and tests of a package again from its leaderboards.yml; other files stay as they are."""
    if not (folder / PROJECT).is_file():
        raise InputError(f"{folder} has no {PROJECT}: `rankmetrics dbt init {folder}` makes a package there.")
    texts = {folder / name: text for name, text in files(folder / BOARDS, project_name(folder)).items()}
    if foreign := [path for path in texts if path.exists() and not _is_ours(path)]:
        raise said(InputError, "is_not_ours", path=foreign[0])
    _put(texts)
    there = [path for name in ("macros", "models", "tests") for path in sorted((folder / name).glob("*.*"))]
    stale = [path for path in there if path not in texts and _is_ours(path)]
    for path in stale:
        path.unlink()
    return Written(list(texts), stale)


# --- the files --------------------------------------------------------------------------------------------------------


@spelling(as_key)
def files(path: Path, package: str = PACKAGE) -> dict[str, str]:
    """The files of a package, whose name its macros have as a prefix: the text of each, by its path within it."""
    content = read(path)
    adapters = content.adapters or [adapter_of(path.parent) or DEFAULT_ADAPTER]
    define_all(content.defined)
    folding = {
        case: ", ".join(
            f"'{adapter}'" for adapter, dialect in ADAPTERS.items() if known(dialect).names.folds_to == case
        )
        for case in ("lower", "upper")
    }
    contents = {"macros/_shared.sql": _filled("shared.sql", package, **folding)}
    models: list[dict[str, object]] = []
    tests: dict[str, str] = {}
    for board in content.boards:
        where = f"{path}, leaderboard {board.name!r}: "
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", RankMetricsWarning)
                of_board = BoardFiles(board, columns_of(board), adapters, package)
                contents |= of_board.texts()
                models.append(of_board.described())
        except RankMetricsError as error:
            raise type(error)(f"{where}{error.text}", page=error.page) from error
        ours = [warning.message for warning in caught if isinstance(warning.message, RankMetricsWarning)]
        for sentence, page in dict.fromkeys((warning.text, warning.page) for warning in ours):
            warnings.warn(RankMetricsWarning(f"{where}{sentence}", page=page), stacklevel=3)
        for column in of_board.columns:
            tests |= of_board.tests_of(column)
    contents["macros/_shared.sql"] += "".join(text for _, text in sorted(tests.items()))
    if of_lists := [board for board in content.boards if board.options.get("per_list")]:
        contents["macros/_metrics.sql"] = _metrics_of(of_lists, adapters, package)
    schema = yaml().safe_dump({"version": 2, "models": models}, sort_keys=False, allow_unicode=True, width=120)
    return {**contents, "models/schema.yml": f"# {MARK}\n{schema}"}


def _template(name: str) -> Template:
    return Template((packaged("export") / "dbt" / "templates" / name).read_text("utf-8"))


def _filled(template: str, package: str, **values: str) -> str:
    return _template(template).substitute(mark=MARK, package=package, **values)


# The column of a mean, before that of a metric replaces it.
VALUE = "rankmetrics_value"


def _metrics_of(boards: Sequence[Leaderboard], adapters: Sequence[str], package: str) -> str:
    """A macro for each metric of some leaderboards with values per list: its mean over lists, for SELECTs of users."""
    columns, summaries = dict[str, dict[str, set[str]]](), dict[str, str]()
    for board in boards:
        quoted = {column.name: column.quoted(package) for column in columns_of(board)}
        for name, metric in _metrics_by_column(board).items():
            parameters = ", ".join(f"{key}={value}" for key, value in sorted(metric.settings.items()))
            label = metric.name + (f"({parameters})" if parameters else "") + (f"@{metric.k}" if metric.k else "")
            if name in quoted:  # a metric of a system has no values per list
                columns.setdefault(metric.name, {}).setdefault(label, set()).add(quoted[name])
                summaries[metric.name] = escaped(metric.definition.summary)
    mean = MEAN.of(exp.column(VALUE))
    means = {adapter: literal(mean.sql(grammar(ADAPTERS[adapter]))) for adapter in adapters}
    texts = [_filled("metrics.sql", package, value=VALUE, means=_jinja(means))]
    for name, labels in sorted(columns.items()):
        calls = {label: call for label, (call, *others) in labels.items() if not others}
        texts.append(_filled("metric.sql", package, name=name, summary=summaries[name], columns=_jinja(calls)))
    return "".join(texts)


def _jinja(expressions: Mapping[str, str]) -> str:
    """The items of a dictionary of Jinja, whose values are expressions."""
    return ", ".join(f"{literal(name)}: {expression}" for name, expression in expressions.items())


# The comment of the macro of a check.
ON_CHECKS = (
    "{# No rows if the data is sound; otherwise a row for each fault: its name, the number, a sample of keys, a "
    "sentence. #}\n"
)


# The names that MetricFlow refuses for a dimension.
GRANULARITIES = "nanosecond microsecond millisecond second minute hour day week month quarter year".split()


@dataclass(frozen=True)
class BoardFiles:
    """The files of a leaderboard in a package."""

    board: Leaderboard
    columns: Sequence[Column]
    adapters: Sequence[str]
    package: str

    def texts(self) -> dict[str, str]:
        """The text of each file, by its path within the package."""
        board, keys = (
            self.board,
            [f"{{{{ {column.quoted(self.package)} }}}}" for column in self.columns if column.is_key],
        )
        grouped = f"group by {', '.join(keys)}\n" if keys else ""
        once = self._filled("test.sql", columns=", ".join([*keys, "count(*) as n_rows"]), grouped=grouped)
        texts = {
            f"macros/{board.name}.sql": self._macros(),
            f"models/{board.name}.sql": self._model(),
            f"tests/{board.name}_has_each_row_once.sql": once,
        }
        if board.check:
            texts[f"macros/_check_{board.name}.sql"] = self._macros("check")
            settings, relations = self._relations(f"none if flags.FULL_REFRESH else ref({literal(board.name)})")
            check = self._filled("check_test.sql", relations=relations, settings=settings)
            texts[f"tests/{board.name}_has_sound_data.sql"] = check
        if board.semantic_model:
            semantic = yaml().safe_dump(self._semantic_model(), sort_keys=False, width=120)
            texts[f"models/{board.name}.yml"] = f"# {MARK}\n{semantic}"
        return texts

    def _filled(self, template: str, **values: str) -> str:
        return _filled(template, self.package, name=self.board.name, **values)

    def _macros(self, form: Form = "query") -> str:
        """The macro of the leaderboard or its check, with a query for each adapter, or the reason against it."""
        board, texts, refusals = self.board, dict[str, str](), list[DialectError]()
        for dialect in dict.fromkeys(ADAPTERS[adapter] for adapter in self.adapters):
            try:
                texts[dialect] = body(board, dialect, form)
            except DialectError as error:
                message = literal(f"{board.name}: {error.text}")
                texts[dialect] = f"  {{{{ {self.package}.refuse({message}) }}}}"
                refusals.append(error)
        if len(refusals) == len(texts):
            raise refusals[0]
        macro, comment = (f"check_{board.name}", ON_CHECKS) if form == "check" else (f"measure_{board.name}", "")
        values = {"macro": macro, "inputs": ", ".join(board.inputs)}
        implementations = [
            self._filled("implementation.sql", adapter=adapter, body=texts[ADAPTERS[adapter]], **values)
            for adapter in self.adapters
        ]
        return "".join([self._filled("macro.sql", comment=comment, **values), *implementations])

    def _model(self) -> str:
        """The model: the macro over its inputs; over the newest partitions, if it is incremental."""
        settings, relations = self._relations("this if is_incremental() else none")
        if self.board.partition:
            defaults = {
                "unique_key": self._in_quotes([column for column in self.columns if column.is_key]),
                "on_schema_change": "'append_new_columns'",
            }
            config = [f"{name}={value}" for name, value in defaults.items() if name not in self.board.config]
            settings = (f"{{{{ config({', '.join(config)}) }}}}\n" if config else "") + settings
        return self._filled("model.sql", relations=relations, settings=settings)

    def _relations(self, table: str) -> tuple[str, str]:
        """A statement and the arguments of a macro: the inputs, cut to the partitions after those of a table."""
        board, package = self.board, self.package
        relations, settings = dict[str, str](board.inputs), ""
        if board.partition:
            key = next((key for key in self.columns if key.is_key and key.name == unquoted(board.partition)), None)
            if key is None:
                raise said(InputError, "no_key_of_rows", name=board.partition)
            days = f"{package}.partition_range({table}, {key.quoted(package)}, {board.lookback})"
            settings = f"{{% set range = {days} %}}\n"
            for name, column in partition_columns(board).items():
                own = replace(key, name=column).quoted(package)
                relations[name] = f"{package}.within_range({relations[name]}, {own}, range)"
        return settings, ", ".join(f"{name}={relation}" for name, relation in relations.items())

    def _in_quotes(self, columns: Sequence[Column]) -> str:
        """The names of columns, in quotes, as a list of Jinja: dbt writes them into the statement as they are."""

        def spelled(column: Column, dialect: str) -> str:
            name = column.name if column.keeps_case else folded(column.name, known(dialect).names.folds_to)
            return literal(exp.to_identifier(name, quoted=True).sql(grammar(dialect)))

        by_adapter = {
            adapter: f"[{', '.join(spelled(column, ADAPTERS[adapter]) for column in columns)}]"
            for adapter in self.adapters
        }
        if len({*by_adapter.values()}) == 1:
            return by_adapter[self.adapters[0]]
        return f"{{{_jinja(by_adapter)}}}.get(target.type)"

    # --- schema.yml and semantic models -----------------------------------------------------------------------------

    def described(self) -> dict[str, object]:
        """The entry of the model in schema.yml: its documentation, its settings, and the tests of its columns."""
        board, types = self.board, self._data_types()

        def entry(column: Column) -> dict[str, object]:
            tests = [f"{self.package}.{name}" for name in self.tests_of(column)]
            kind = {"data_type": types[column.name]} if column.name in types else {}
            texts = {"name": escaped(column.name), "description": escaped(column.what)}
            return {**texts, **kind, **({"data_tests": tests} if tests else {})}

        keys = [column.name for column in self.columns if column.is_key]
        row = f"One row per {', '.join(keys)}" if keys else "One row"
        measured = ", ".join(column.name for column in self.columns if not column.is_key and column.name != N_LISTS)
        return {
            "name": board.name,
            "description": escaped(board.description or f"{row}: {measured}."),
            **({"config": dict(board.config)} if board.config else {}),
            "columns": [entry(column) for column in self.columns],
        }

    def tests_of(self, column: Column) -> dict[str, str]:
        """The test of a column, as the macro that it calls, by its name; nothing if no value of it is wrong."""
        interval = column.interval
        if "{" in column.name or (interval and (interval.lower == -inf or not interval.is_certain)):
            return {}  # dbt would take a name with a brace for Jinja once more
        if interval is None:
            name, what, condition = "has_no_null", "no value is NULL", "{{ column }} is null"
        else:
            low, high = f"{interval.lower:g}", f"{interval.upper:g}"
            name, what, condition = f"at_least_{low}", f"no value is below {low}", f"{{{{ column }}}} < {low}"
            if interval.upper < inf:
                name, what = f"from_{low}_to_{high}", f"{what} or above {high}"
                condition += f" or {{{{ column }}}} > {interval.upper + 1e-9:.9f}"  # rounding may add to a mean
        name = name.replace("-", "minus_").replace(".", "_") + ("_as_written" if column.keeps_case else "")
        quote = column.quote(self.package)
        values = {"name": name, "what": what, "condition": condition, "quote": quote}
        return {name: _filled("column_test.sql", self.package, **values)}

    def _data_types(self) -> Mapping[str, str]:
        """The types of the columns that the file names; under a contract, of all columns."""
        stated, contract = self.board.data_types, self.board.config.get("contract")
        if not isinstance(contract, Mapping) or not contract.get("enforced"):
            return stated
        if missing := [column.name for column in self.columns if column.is_key and column.name not in stated]:
            raise InputError(f"a contract needs the types of {names(missing)}: data_types: {{{missing[0]}: ...}}.")
        dialect = grammar(ADAPTERS[self.adapters[0]])
        whole, real = (exp.DataType(this=kind).sql(dialect).lower() for kind in (exp.DType.BIGINT, exp.DType.DOUBLE))
        types = {column.name: whole if column.name == N_LISTS else real for column in self.columns if not column.is_key}
        return {**types, **stated}

    def _semantic_model(self) -> dict[str, object]:
        """A semantic model over the values per list, for MetricFlow, and a metric for the mean of each of them."""
        board, name, keys = self.board, self.board.name, [column for column in self.columns if column.is_key]
        if not board.options.get("per_list") or not board.partition:
            raise InputError("semantic_model: true needs per_list: true, and a date, as in partition: day.")
        names = {key.name: f"list_{key.name}" if key.name in GRANULARITIES else key.name for key in keys}
        day, of_day = unquoted(board.partition), {"type": "time", "type_params": {"time_granularity": "day"}}

        def field_of(column: Column, **fields: object) -> dict[str, object]:
            return {"expr": f"{{{{ {self._in_quotes([column])}[0] }}}}", **fields}

        dimensions = [
            field_of(key, name=names[key.name], **(of_day if key.name == day else {"type": "categorical"}))
            for key in keys
        ]
        measures, metrics = list[object](), list[object]()
        for column in self.columns[len(keys) :]:
            measure = f"{name}_{column.name}"
            measures.append(field_of(column, name=measure, agg="average"))
            metric = {"name": measure, "label": column.name, "description": escaped(column.what), "type": "simple"}
            metrics.append({**metric, "type_params": {"measure": measure}})
        ids = {"name": name, "model": f"ref({literal(name)})", "primary_entity": f"{name}_list"}
        model = {**ids, "defaults": {"agg_time_dimension": names[day]}, "dimensions": dimensions, "measures": measures}
        return {"semantic_models": [model], "metrics": metrics}


def _put(texts: Mapping[Path, str]) -> None:
    """Write files, each whole or not at all."""
    path = None
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as temporary:
                temporary.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error


def _is_ours(path: Path) -> bool:
    return path.is_file() and OURS in path.read_text("utf-8", errors="replace").partition("\n")[0]


# The faults of tables without rows: the first run of an incremental model may be empty.
EMPTY = frozenset({"no_recommendations", "no_truth"})


# --- columns ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a leaderboard, with the same name in every warehouse."""

    name: str
    what: str  # its description
    interval: Interval | None = None  # that its values lie in; None for a list column
    keeps_case: bool = False  # True if every warehouse keeps the case of its name

    @property
    def is_key(self) -> bool:
        """True if it is a list column."""
        return self.interval is None

    def quote(self, package: str) -> str:
        """The macro that puts its name in quotes, in the case that the warehouse gives it."""
        return "adapter.quote" if self.keeps_case else f"{package}.quoted"

    def quoted(self, package: str) -> str:
        """The call of this macro."""
        return f"{self.quote(package)}({literal(self.name)})"


def columns_of(board: Leaderboard) -> list[Column]:
    """The columns of a leaderboard, in their order; refuses two of the same name."""
    request = board.request()
    is_kept, known = request.quote_names, dict[str, Column]()

    def add(name: str, what: str, interval: Interval) -> None:
        known[name] = Column(name, what, interval, is_kept)

    count = Interval(0)
    add(N_LISTS, "how many lists the row is made of", Interval(1))
    add("n_missing", "how many of these lists have no recommendations", count)
    add("n_tied", "how many lists have equal scores", count)
    for name, metric in _metrics_by_column(board).items():
        what = f"{metric.text}: {metric.definition.summary}"
        add(f"n_undefined_{name}", f"for how many lists {metric.text} is undefined", count)
        for aggregate in [MEAN] if metric.is_run or request.per_list else request.aggregates:
            text = what if aggregate == MEAN else f"{aggregate} of {what}"
            add(plain(aggregate.label(name)), text, interval_of(metric, aggregate))
    in_quotes = {unquoted(column) for column in request.lists or () if unquoted(column) != column}
    shared = {unquoted(column) for column in request.truth_lists or request.lists or ()}

    def key(name: str) -> Column:
        owner = "lists of recommendations and truth" if name in shared else "system that made the recommendations"
        keeps_case = is_kept or name in in_quotes or not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name)
        return Column(name, f"list column that identifies the {owner}", keeps_case=keeps_case)

    query = tree.parse(_query(board, "duckdb"), "The query")
    columns = [known.get(name) or key(name) for name in tree.outputs(query)]
    _refuse_repeated([column.name.lower() for column in columns])
    return columns


def _refuse_repeated(names: Sequence[str]) -> None:
    if repeated := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise said(InputError, "same_column", name=repeated[0])


def partition_columns(board: Leaderboard) -> dict[str, str]:
    """The column of the partition in the recommendations and, if it has the column, in the truth."""
    request = board.request()
    partitions = {"recs": board.partition}
    if "truth" in board.inputs and board.partition in (request.truth_lists or request.lists or ()):
        of_truth = request.truth_columns or request.columns
        partitions["truth"] = (of_truth.lists if of_truth else {}).get(board.partition, board.partition)
    return {name: unquoted(column) for name, column in partitions.items()}


def _metrics_by_column(board: Leaderboard) -> dict[str, Metric]:
    metrics = board.request().metrics
    names = [metric.column or plain(metric.label).lower() for metric in metrics]
    _refuse_repeated(names)
    return dict(zip(names, metrics, strict=True))


def body(board: Leaderboard, dialect: str, form: Form = "query") -> str:
    """The query of a leaderboard, or the query of its check, as the body of a macro over its inputs.

    The text is that of to_sql, with plain names in every dialect. Expressions of Jinja, which dbt calls relations,
    replace its tables; the rest of the text is escaped from Jinja.
    """
    table = re.compile(rf"""["`\[]{PLACEHOLDER}({"|".join(board.inputs)})["`\]]""", re.IGNORECASE)
    return table.sub(lambda match: f"{{{{ {match[1].lower()} }}}}", escaped(_query(board, dialect, form)))


# Options that a form disregards: the query does not look for repeats, and the check returns no metrics.
NOT_OF: Mapping[Form, dict[str, Any]] = {"query": {"duplicates": "count"}, "check": {"counts": (), "per_list": False}}


def _query(board: Leaderboard, dialect: str, form: Form = "query") -> str:
    request = board.request(metrics=_metrics_by_column(board), dialect=dialect, form=form, **NOT_OF[form])
    text = sql_of(request, is_model=True, allowed=EMPTY if board.partition else frozenset())
    return without_header(text)  # it names tables that relations replace, and schema.yml says what each metric is


def escaped(text: str) -> str:
    """A text, escaped so that Jinja prints it unchanged."""
    return text.replace("{", "{{ '{' }}")


def literal(text: str) -> str:
    r"""A text as a literal of Jinja, escaped so that no character ends the literal or a block.

    >>> print(literal("it's {{ x }}"))
    'it\U00000027s \U0000007b\U0000007b x \U0000007d\U0000007d'
    """
    return "'" + re.sub(r"[^a-zA-Z0-9_ .,:;()@=/-]", lambda character: f"\\U{ord(character[0]):08x}", text) + "'"


# --- leaderboards.yml as values ---------------------------------------------------------------------------------------


# The adapters of dbt for which there is SQL, each with the dialect that it runs.
ADAPTERS: Mapping[str, str] = {adapter: name for name, dialect in originals_last() for adapter in dialect.dbt_adapters}

# The keys of the file, each with its kind.
FILE = {"leaderboards": "mapping", "adapters": "texts", "define": "texts"}

# The prefix of an input's table in the query, before a relation replaces it.
PLACEHOLDER = "rankmetrics_input_"

# A part of the name of a table; a text of Jinja; a call of `ref` or `source`.
WORD, TEXT = r"[^\W\d]\w*", r"""'[^']*'|"[^"]*\""""
CALL = re.compile(
    rf"(?P<name>ref|source)\(\s*(?P<first>{TEXT})(\s*,\s*(?P<second>{TEXT}))?"
    rf"(\s*,\s*(v|version)\s*=\s*(?P<version>\d+|{TEXT}))?\s*,?\s*\)"
)

# The names that a leaderboard may have: it names a model, a macro and their files.
NAME = r"[a-z][a-z0-9_]*"


class Relation(str):
    """A table as the expression of Jinja that is its relation, such as `ref('shop', 'recs', v=2)`."""

    __slots__ = ()


@dataclass(frozen=True)
class Leaderboard:
    """A leaderboard: which metrics to measure over which tables, and the settings of its model."""

    name: str  # of the model
    inputs: Mapping[str, Relation]  # recommendations, truth and further inputs, by the name of the input
    options: dict[str, Any]  # the options of to_sql, other than the tables and the dialect
    description: str = ""
    check: bool = True  # True if a data test looks for faults of the tables
    config: Mapping[str, Any] = field(default_factory=dict)  # the settings of the model, as dbt takes them
    data_types: Mapping[str, str] = field(default_factory=dict)  # the types of columns, by name, for a contract
    partition: str = ""  # the list column whose newest values an incremental model computes; empty for none
    lookback: int = 0  # how many partitions before the newest an incremental model computes again
    semantic_model: bool = False  # True for a semantic model over the values per list

    def request(self, **options: Any) -> Request:
        """The options as a Request, with these in addition; a relation later replaces the name of each input."""
        tables: dict[str, Any] = {name: f"{PLACEHOLDER}{name}" for name in self.inputs}
        return Request(**tables, **{**self.options, **options})


@dataclass(frozen=True)
class Leaderboards:
    """A whole file: the leaderboards, the adapters that it lists, and the files that define further metrics."""

    boards: Sequence[Leaderboard]
    adapters: Sequence[str]
    defined: Sequence[Path]


def read(path: Path) -> Leaderboards:
    """The leaderboards of a file, all keys and values checked."""
    document = YamlReader().fields(str(path), _document(path), FILE)
    adapters = document.get("adapters", [])
    for adapter in adapters:
        checked(adapter, f"{path} names")
    boards = [_leaderboard(str(path), name, board) for name, board in document.get("leaderboards", {}).items()]
    if not boards:
        raise InputError(f"{path} has no leaderboards: write some, each a name and what it measures.")
    return Leaderboards(boards, adapters, [path.parent / file for file in document.get("define", ())])


def _leaderboard(file: str, name: object, content: object) -> Leaderboard:
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise said(InputError, "no_name_of_a_board", file=file, name=name)
    where = f"{file}, leaderboard {name!r}"
    fields = YamlReader().fields(where, content, KEYS)
    for key, remedy in REQUIRED.items():
        if key not in fields:
            raise InputError(f"{where} has no {key!r}: {remedy}.")
    if isinstance(fields["metrics"], Mapping):
        try:
            labels = [parse(metric, fields.get("convention")).text for metric in fields["metrics"].values()]
        except RankMetricsError as error:
            raise type(error)(f"{where}: {error.text}", page=error.page) from error
        if len({label.lower() for label in labels}) < len(labels):
            raise InputError(f"{where} asks for one metric under two names.")
    is_incremental = fields.get("config", {}).get("materialized") == "incremental"
    if "partition" not in fields and (is_incremental or "lookback" in fields):
        why = "materialized: incremental" if is_incremental else "lookback"
        raise said(InputError, "needs_its_partition", where=where, why=why)
    settings = {key: fields.pop(key) for key in OF_MODELS if key in fields}
    inputs = {key: fields.pop(key) for key, value in [*fields.items()] if isinstance(value, Relation)}
    return Leaderboard(name, inputs, fields, **settings)


# --- the values of keys -----------------------------------------------------------------------------------------------


class YamlReader(FileReader):
    """Reads the values of a leaderboard; an input is a table as dbt names it."""

    NO_TEXT = ". Put it in quotes if it is meant as one."
    NO_TABLE = "mapping from names to what they stand for."

    def __init__(self) -> None:
        super().__init__()
        self.readers |= {"mapping": self.table, "count": self.count}

    def fields(self, where: str, content: Any, kinds: Mapping[str, str]) -> dict[str, Any]:
        """The values of a mapping, each read as its key's kind."""
        if not isinstance(content, Mapping):
            raise said(InputError, "no_keys", where=where, key=next(iter(kinds)), content=repr(content))
        return super().fields(where, content, kinds)

    def texts(self, value: Any) -> list[str]:
        """Texts in a list; a single text may be given alone."""
        whole = [item for item in value if not isinstance(item, str)] if isinstance(value, list) else []
        if whole and len(value) > 1:
            raise InputError(f"{whole[0]!r} is not text. YAML splits [a@5,10] at the comma: put quotes around each.")
        return super().texts(value)

    def count(self, value: Any) -> int:
        """A whole number from 0."""
        if (number := self.number(value)) < 0:
            raise InputError(f"{number} is below 0.")
        return number

    def column_name(self, name: Any) -> str:
        """The name that a metric's column gets: dbt and every warehouse take it without quotes."""
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            raise InputError(f"{name!r} cannot name a column: it takes lower case letters, digits and underscores.")
        return name

    def input(self, value: Any) -> Relation:
        """A table as dbt names it: `ref('recs')`, `db.recs`."""
        written = re.sub(r"^\{\{(.*)\}\}$", r"\1", self.text(value).strip()).strip()
        if re.fullmatch(rf"{WORD}(\.{WORD}){{0,2}}", written):
            parts = [literal(part) for part in written.split(".")]
            keys = ("database", "schema", "identifier")[-len(parts) :]
            named = ", ".join(f"{key}={part}" for key, part in zip(keys, parts, strict=True))
            return Relation(f"api.Relation.create({named})")
        if (call := CALL.fullmatch(written)) and (call["name"] == "ref" or (call["second"] and not call["version"])):
            parts = [literal(part[1:-1]) for part in (call["first"], call["second"]) if part]
            if version := call["version"]:
                parts.append(f"v={version if version.isdecimal() else literal(version[1:-1])}")
            return Relation(f"{call['name']}({', '.join(parts)})")
        raise InputError(
            f"{value!r} is not a table: write ref('recs'), source('ml', 'recs') or a plain name such as db.recs."
        )


# The keys of a model, each with its kind.
OF_MODELS: Mapping[str, str] = {
    "description": "text",
    "check": "yes or no",
    "config": "mapping",
    "data_types": "mapping",
    "partition": "text",
    "lookback": "count",
    "semantic_model": "yes or no",
}

# The keys of a leaderboard, each with its kind: the options of to_sql under their own names, and those of the model.
KEYS: Mapping[str, str] = {
    **{name: declaration_of(option).kind for name, option in declared(Request, "to_sql", "key").items()},
    **OF_MODELS,
}

# The keys that every leaderboard needs, with what to write.
REQUIRED: Mapping[str, str] = {
    "recs": "name the table of recommendations, as in ref('recs')",
    "lists": "name the columns that identify a list, as in [algorithm, user]",
    "metrics": 'ask for some, as in ["ndcg@10", "recall@5,10"]',
}


# --- YAML -------------------------------------------------------------------------------------------------------------


def yaml() -> Any:
    """The module of PyYAML, which rankmetrics needs only here."""
    with importing("This needs PyYAML, which is not installed", "dbt"):
        return import_module("yaml")


def _document(path: Path) -> object:
    loader = yaml()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"There is no {path}: `rankmetrics dbt init` writes one to start from.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error
    try:
        for line, key in _repeated(loader.compose(text, Loader=loader.SafeLoader)):
            raise InputError(f"{path}, line {line}: {key!r} is there already, and would take its place.")
        return loader.safe_load(text)
    except loader.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f", line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}{at} is not YAML: {getattr(error, 'problem', None) or error}.") from error


def _repeated(root: Any) -> Iterator[tuple[int, str]]:
    """The keys that a mapping has twice, with their lines: YAML would silently keep only the last."""
    waiting, seen = [root] if root else [], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or node.id == "scalar":
            continue
        seen.add(id(node))  # an alias may lead back to where it stands
        keys = [key for key, _ in node.value] if node.id == "mapping" else []
        waiting += [inner for _, inner in node.value] if node.id == "mapping" else node.value
        for place, key in enumerate(keys):
            if key.id == "scalar" and key.value in [earlier.value for earlier in keys[:place]]:
                yield key.start_mark.line + 1, key.value


PROJECT = "dbt_project.yml"

# The adapter of a package if no profile names one.
DEFAULT_ADAPTER = "duckdb"


def enclosing(folder: Path) -> Path | None:
    """The project of dbt around a folder, if there is one."""
    return next((parent for parent in folder.absolute().parents if (parent / PROJECT).is_file()), None)


def project_name(folder: Path) -> str:
    """The name of the project of dbt in a folder."""
    name = _mapping_of(folder / PROJECT).get("name")
    if not isinstance(name, str):
        raise InputError(f"{folder / PROJECT} has no line that says what the project is called, as in `name: shop`.")
    return name


def adapter_of(folder: Path) -> str | None:
    """The adapter of the project around a folder: the `type` of the target in its profile; None if no profile is found.

    The profile is looked for where dbt looks: in DBT_PROFILES_DIR, next to dbt_project.yml, and in ~/.dbt.
    """
    around = enclosing(folder)
    profile = _mapping_of(around / PROJECT).get("profile") if around else None
    if around is None or not isinstance(profile, str):
        return None
    own = os.environ.get("DBT_PROFILES_DIR")
    for place in (*([Path(own)] if own else []), around, Path.home() / ".dbt"):
        if (path := place / "profiles.yml").is_file():
            adapter = _type_of_target(_mapping_of(path).get(profile))
            return None if adapter is None else checked(adapter, f"The profile {profile!r} of {path} has")
    return None


def checked(adapter: str, owner: str) -> str:
    """An adapter, refused if there is no SQL for it."""
    if adapter not in ADAPTERS:
        raise said(InputError, "no_adapter", owner=owner, adapter=adapter, choices=choices_for(adapter, ADAPTERS))
    return adapter


def _type_of_target(profile: object) -> str | None:
    """The adapter of a profile's default target. Without a known default, the adapter that all its targets share."""
    outputs = profile.get("outputs") if isinstance(profile, Mapping) else None
    if not isinstance(profile, Mapping) or not isinstance(outputs, Mapping):
        return None
    target = outputs.get(profile.get("target", "default"))
    types = {output.get("type") for output in ([target] if target else outputs.values()) if isinstance(output, Mapping)}
    kind = types.pop() if len(types) == 1 else None
    return kind if isinstance(kind, str) else None


def _mapping_of(path: Path) -> Mapping[str, Any]:
    """The mapping in a file of YAML; empty for a missing or broken file, for which dbt has a better error than ours."""
    loader = yaml()
    try:
        content = loader.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, loader.YAMLError):
        return {}
    return content if isinstance(content, Mapping) else {}
