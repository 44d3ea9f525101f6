"""Errors and warnings: each message says what was wrong, what was there instead, and what to do.

Every error derives from RankMetricsError; each family also derives from the builtin that a caller would expect, so
`except ValueError` keeps working. Each error and warning ends with the command that prints the page that explains it.
A page is written as on the site: `inputs/#columns` is the heading Columns of docs/inputs.md.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

# The name under which pip installs this package: `rankmetrics` on PyPI is another project.
DISTRIBUTION = "rankmetrics-sql"

# The prefix of a warning among the notes of a result.
WARNING = "Warning: "

# Control characters, which a terminal obeys, other line breaks, and what XML forbids. Tabs and newlines may stay.
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


# The most lines of a query that an error shows.
SHORT_QUERY = 30

# The address of the site, such as https://docs.example/rankmetrics: set it when the site is published.
SITE = ""

# The page for the errors of a module, or of all modules of a sub-package. Errors of other modules have the page of
# their class.
PAGES: Mapping[str, str] = {
    "rankmetrics.arms": "logs/#arms-of-an-experiment",
    "rankmetrics.audits": "audit/",
    "rankmetrics.comparisons": "comparing/",
    "rankmetrics.conventions": "conventions/",
    "rankmetrics.estimates": "sampled/#estimate-the-full-ranking",
    "rankmetrics.export.dbt": "dbt/",
    "rankmetrics.gates": "gates/",
    "rankmetrics.identification": "identify/",
    "rankmetrics.inputs.layout": "messages/#columns-without-a-clear-role",
    "rankmetrics.inputs.negatives": "sampled/",
    "rankmetrics.inputs.shapes": "shapes/",
    "rankmetrics.inputs.columns": "messages/#types-that-do-not-fit",
    "rankmetrics.judges": "judges/",
    "rankmetrics.metrics.conventions": "conventions/",
    "rankmetrics.metrics.own": "own-metrics/",
    "rankmetrics.engines.lakehouse": "lakehouse/",
    "rankmetrics.engines.selects": "messages/#queries-as-inputs",
    "rankmetrics.engines.text_files": "inputs/#text-files",
    "rankmetrics.faults.fault_query": "warehouse-checks/",
    "rankmetrics.planner.ties": "ties/",
    "rankmetrics.plots": "plots/",
    "rankmetrics.rankings": "models/",
    "rankmetrics.reports": "reports/",
    "rankmetrics.segments": "segments/",
    "rankmetrics.splits": "splits/",
    "rankmetrics.suites": "gates/#suites",
    "rankmetrics.traces": "explaining/",
    "rankmetrics.trackers": "gates/#mlflow-and-other-trackers",
}


# Options of one input, each with the input and the option of rm.Input that functions take instead.
OF_INPUT: Mapping[str, tuple[str, str]] = {
    "columns": ("recs", "columns"),
    "truth_columns": ("truth", "columns"),
    **{f"{name}_lists": (name, "lists") for name in ("truth", "history", "baseline", "log", "items", "catalog")},
    "history_until": ("history", "until"),
    "cold_start": ("history", "cold_start"),
    "files_as": ("recs", "files_as"),
    "rank_from": ("recs", "rank_from"),
}


# How text files are read: options of rm.Input, and on the command line texts of `--format`, as in `recs: decimal=,`.
READING = ("header", "separator", "quote", "decimal", "thousands", "nulls", "encoding", "cells")


def read_format(text: str) -> tuple[str, str, Any]:
    """The input that a text of `format` names, the option of rm.Input and its value; the input is empty for any.

    >>> read_format("truth: movielens"), read_format('recs: header=["user", "item"]'), read_format("decimal=,")
    (('truth', 'format', 'movielens'), ('recs', 'header', ['user', 'item']), ('', 'decimal', ','))
    """
    match = re.fullmatch(rf"\s*(?:(\w+)\s*:)?\s*(?:({'|'.join(READING)})\s*=(.*)|(.*?))\s*", text, re.DOTALL)
    assert match is not None, text
    owner, option, value, form = match.groups(default="")
    if not option:
        return owner, "format", form
    with suppress(ValueError):
        return owner, option, json.loads(value)
    return owner, option, value


@dataclass(frozen=True)
class Option:
    """An option that a message tells the reader to set, as in `raise InputError(f"Set {Option('lists', ['user'])}.")`.

    Its text is written for Python, or as `spelling` says: the command line, TOML and YAML each write it their own way.

    Example:
        >>> print(Option("columns", {"item": "sku"}), Option("lists", ["user"]), Option("ties", "item"))
        rm.Input(recs, columns={"item": "sku"}) lists=["user"] ties="item"
        >>> print(Option("extra_columns", {"category": "..."}, of="items"), Option("history"))
        rm.Input(items, columns={"category": "..."}) history=
        >>> print(Option("truth_lists", ["user"]), Option("format", "truth: movielens"))
        rm.Input(truth, lists=["user"]) rm.Input(truth, format="movielens")
        >>> print(Option("lists", is_noun=True), "names a column twice.")
        lists names a column twice.
    """

    name: str  # the argument of `evaluate` or `to_sql`
    # what to set it to: a text, a number, a list of names (`[...]` for names that only the reader knows), or for the
    # names of columns a mapping from role to column; None where the message leaves it open
    value: object = None
    of: str = ""  # the input whose columns are named, for `extra_columns`
    is_noun: bool = False  # whether the option is the subject of the sentence, which then reads better without the `=`

    def __str__(self) -> str:
        return SPELLING.get()(self)


def as_argument(option: Option) -> str:
    """An option as Python takes it."""
    name, field = (option.of, "columns") if option.of else OF_INPUT.get(option.name, ("", ""))
    if option.name == "format" and option.value is not None:
        texts = option.value if isinstance(option.value, list) else [option.value]
        read = [read_format(str(text)) for text in texts]
        pairs = ", ".join(f"{field}={_literal(each)}" for _, field, each in read)
        return f"rm.Input({read[0][0] or '...'}, {pairs})"
    if field:
        return f"rm.Input({name}, {field}={_literal(... if option.value is None else option.value)})"
    if option.value is None:
        return option.name if option.is_noun else f"{option.name}="
    return f"{option.name}={_literal(option.value)}"


# Writes the options that messages name.
SPELLING: ContextVar[Callable[[Option], str]] = ContextVar("SPELLING", default=as_argument)


@contextmanager
def spelling(spell: Callable[[Option], str]) -> Iterator[None]:
    """Write the options of messages as `spell` does, for those who set them elsewhere than in Python."""
    token = SPELLING.set(spell)
    try:
        yield
    finally:
        SPELLING.reset(token)


def write_value(
    value: object, write_scalar: Callable[[object], str], write_key: Callable[[str], str], between: str = ": "
) -> str:
    """A value in a language that has its own texts, numbers and keys, and its own sign between key and value."""
    if isinstance(value, Mapping):
        pairs = (
            f"{write_key(str(key))}{between}{write_value(item, write_scalar, write_key, between)}"
            for key, item in value.items()
        )
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(write_value(item, write_scalar, write_key, between) for item in value)}]"
    return "..." if value is ... else write_scalar(value)


def _literal(value: object) -> str:
    """A value as Python writes it, texts in double quotes unless they hold some."""

    def scalar(value: object) -> str:
        is_plain = isinstance(value, str) and not {*value} & {'"', "\\"}
        return f'"{visible(str(value))}"' if is_plain else repr(value)

    return write_value(value, scalar, scalar)


class Message(Exception):  # noqa: N818  # errors and warnings derive from it
    """A message with the page that explains it.

    Attributes:
        text: the message, without the command for its page.
        page: the page, as in `inputs/#columns`; by default that of the module that creates the message, or else PAGE.
        PAGE: the page for all messages of a class that have no other.
    """

    PAGE: ClassVar[str] = ""

    def __init__(self, text: str, *, page: str = "") -> None:
        self.text = visible(text)
        self.page = page or _page_of_caller() or self.PAGE
        super().__init__(self.text)

    @property
    def more(self) -> str:
        """The command that prints the page: `More: rankmetrics help inputs/columns`."""
        return f"More: {help_on(self.page)}"


def _page_of_caller() -> str:
    """The page of the module that creates a message, also by a `with`; empty if it has none."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__") in (__name__, "contextlib"):
        frame = frame.f_back
    module = str(frame.f_globals.get("__name__"))
    while module and module not in PAGES:
        module = module.rpartition(".")[0]
    return PAGES.get(module, "")


def help_on(page: str) -> str:
    """The command that prints a page, and its address once the site is published."""
    command = f"rankmetrics help {page.replace('/#', '/').rstrip('/')}"
    return f"{command} ({SITE}/{page})" if SITE else command


class RankMetricsError(Message):
    """Base of every error that rankmetrics raises on purpose.

    Below its message, a traceback shows the command that prints the page that explains it; `rm.help` prints it, too.

    Attributes:
        page: the page and its heading, as in `inputs/#columns`.
        more: the last line of the traceback.
    """

    PAGE = "messages/"

    def __init__(self, text: str, *, page: str = "") -> None:
        super().__init__(text, page=page)
        self.add_note(self.more)


class RankMetricsWarning(Message, UserWarning):
    """A warning that the inputs may not be what the caller meant.

    `collect()`, `write()` and `check()` of a result warn, and so does `to_sql`; docs/warnings.md lists the warnings.

    Attributes:
        page: the page and its heading, as in `warnings/#missing-lists`.
        more: the last line of the traceback.

    Example:
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", RankMetricsWarning)  # each warning is raised as an error
        ...     warnings.warn(RankMetricsWarning("Lists are missing unequally."))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rankmetrics.errors.RankMetricsWarning: Lists are missing unequally...
    """

    PAGE = "warnings/"

    def __str__(self) -> str:
        return f"{self.text}\n{self.more}"

    @property
    def note(self) -> str:
        """The warning as a note below a table, with the command for its page."""
        return f"{WARNING}{self.text} {self.more}"


# The doubts that this process has warned of: hashes, so that no data is kept in memory.
WARNED: set[int] = set()


def warn_once(doubts: Iterable[RankMetricsWarning], *data: object) -> None:
    """Warn at the line that called this package, of each doubt about the same data once per process.

    Doubts are the same if they have the same page and quote the same names, whatever their numbers: a training loop
    evaluates new recommendations each time. `data` identifies the data by its text.
    """
    frame, above = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(f"{__package__}."):
        frame, above = frame.f_back, above + 1
    known = {*WARNED}  # a page may have several sentences
    for doubt in doubts:
        doubt_hash = hash((repr(data), doubt.page, *re.findall("'[^']*'", doubt.text)))
        if doubt_hash not in known:
            warnings.warn(doubt, stacklevel=above)
            WARNED.add(doubt_hash)  # after: where warnings are errors, each call raises it


class MetricError(RankMetricsError, ValueError):
    """A metric, a parameter, a cutoff or a definition that cannot be understood."""

    PAGE = "metrics/"


class ColumnError(RankMetricsError, ValueError):
    """Columns that are missing, ambiguous, or of a type that does not fit their role."""

    PAGE = "inputs/#columns"


class InputError(RankMetricsError, ValueError):
    """An input that cannot be read, or that no engine knows."""

    PAGE = "inputs/"


class DataError(RankMetricsError, ValueError):
    """Data that gives plausible but wrong numbers: inputs without common lists or items, or wrong ranks."""

    PAGE = "messages/"


class DialectError(RankMetricsError, ValueError):
    """A SQL dialect that is unknown, or that cannot express the query."""

    PAGE = "dialects/"


class EngineError(RankMetricsError, RuntimeError):
    """An engine refused a query. The message has the query if it is short.

    Attributes:
        reason: the message of the engine, without the query.
        sql: the text of the query; empty if the engine did not see it.
    """

    PAGE = "engines/"

    def __init__(self, engine: str, reason: str, sql: str = "") -> None:
        self.reason = reason.replace(sql, "...") if sql else reason
        self.sql = sql
        n_lines = len(sql.splitlines())
        query = f"\nThe query was:\n{sql}" if sql else ""
        if n_lines > SHORT_QUERY:
            query = f"\nThe query has {n_lines:,} lines: they are in the attribute `sql` of this error."
        super().__init__(f"{engine} refused the query: {self.reason}{query}")


def names(values: Iterable[object]) -> str:
    """Values as a person lists them: `'a', 'b' and 'c'`; `nothing` where there are none."""
    texts = [repr(value) for value in values]
    if not texts:
        return "nothing"
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def pip_install(extra: str = "", *packages: str) -> str:
    """The command that installs an extra of rankmetrics and other packages: `pip install 'rankmetrics-sql[report]'`."""
    all_packages = [*([f"{DISTRIBUTION}[{extra}]"] if extra else []), *packages]
    return f"pip install {' '.join(shlex.quote(package) for package in all_packages)}"


@contextmanager
def importing(reason: str, extra: str = "", *packages: str) -> Iterator[None]:
    """Import packages that only some need: where one is missing, the InputError says why, and how to install them."""
    try:
        yield
    except ImportError as error:
        raise InputError(f"{reason}: {pip_install(extra, *packages)}.") from error


def visible(text: str) -> str:
    """A text as people may see it: control characters and the like are written as in Python, and do not act."""
    return UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def refuse_kind(argument: str, value: object, kinds: tuple[type, ...], example: str) -> None:
    """Refuse an argument that is none of some kinds, such as arguments in another order; `example` is a right call."""
    if not isinstance(value, kinds):
        known = " or ".join(kind.__name__ for kind in kinds)
        raise InputError(f"{argument} is a {known}, as in {example}: {type(value).__name__!r} is not.")


def counted(n: int, singular: str, many: str) -> str:
    """A number with its noun (and verb), in the singular for 1: `1 list has`, `1,200 lists have`."""
    return f"{n:,} {singular if n == 1 else many}"


def plain(name: str) -> str:
    """A name without case and separators: nDCG, ndcg and NDCG are one metric, movieId and movie_id one column."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def similar(word: str, known: Iterable[str], least: float = 0.6) -> list[str]:
    """The known names nearest to a wanted one, three at most; `least` is the least similarity, from 0 to 1."""
    spelled = {name.lower(): name for name in known}
    return [spelled[name] for name in get_close_matches(word.lower(), spelled, n=3, cutoff=least)]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence that offers the names nearest to a wanted one, or nothing.

    >>> did_you_mean("preciison", ["precision", "recall"])
    " Did you mean 'precision'?"
    """
    near = similar(word, known)
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


def choices_for(wanted: object, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the names that exist, and the most similar of them."""
    known = [*known]
    return f"{names(known)}.{did_you_mean(str(wanted), known)}"
