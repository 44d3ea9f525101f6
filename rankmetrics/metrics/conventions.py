"""How other libraries measure, by name: read from sql/conventions when first used.

A convention is data: the library's own spellings, each with the metric of rankmetrics that gives its number, and the
policies that its metrics share: which lists are averaged, which of equal scores comes first, which items are relevant,
how a repeated item counts. There is no code for a library: a convention only sets parameters that everybody may set.

The metrics that `spellings` names are not parsed here: that would parse half of sql/ for one convention. They are
checked when they are used, and all of them by a test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, did_you_mean, names, plain
from rankmetrics.metrics.catalog import catalog

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@dataclass(frozen=True)
class Convention:
    """How another library measures: its names of metrics, and the settings that give its numbers.

    Attributes:
        name: as in `convention="replay"`; the name of the file.
        library: the library and its releases.
        source: the release that the numbers were checked against, or the document that they are taken from.
        policies: the settings that all metrics of the library share.
        spellings: the library's name of each metric -> the metric of rankmetrics that gives its number.
        notes: where the library departs from its own documentation, and where rankmetrics departs from the library.
        aliases: other names of the convention.
        refused: metrics of the library that rankmetrics does not measure -> a sentence on what to use instead, or "".
        no_cutoff: metrics that always measure the whole list; a cutoff is refused.
        needs_cutoff: metrics that always have a cutoff; a missing cutoff is refused.
        patterns: regular expressions for how the library writes parameters -> how rankmetrics writes them.
    """

    name: str
    library: str
    source: str = ""
    policies: Mapping[str, str | float] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    no_cutoff: frozenset[str] = frozenset()
    needs_cutoff: frozenset[str] = frozenset()
    patterns: Mapping[str, str] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """The library with its source, as in `ranx 0.3 (checked against 0.3.21)`."""
        return f"{self.library} ({self.source})" if self.source else self.library

    @property
    def origin(self) -> str:
        """The name of the file, for errors."""
        return f"{self.name}.toml"

    def find(self, name: str) -> tuple[str, str] | None:
        """The library's name of a metric, in any case, with the metric of rankmetrics that gives its number."""
        return next((pair for pair in self.spellings.items() if plain(pair[0]) == plain(name)), None)

    def rewrite(self, text: str) -> str:
        """A metric written as in the library, rewritten as in rankmetrics: ranx's `ndcg@10-l2` is `ndcg(rel=2)@10`.

        Raises:
            MetricError: rankmetrics does not measure this metric of the library.
        """
        self.refuse(re.split(r"[(@]", text.strip())[0])
        for pattern, ours in self.patterns.items():
            if match := re.fullmatch(pattern, text.strip()):
                return match.expand(ours)
        return text

    def refuse(self, name: str) -> None:
        """Refuse a metric of the library that rankmetrics does not measure.

        Raises:
            MetricError: `name` is such a metric.
        """
        for theirs, instead in self.refused.items():
            if re.fullmatch(rf"{plain(theirs)}\d*", plain(name)):  # with or without a parameter, as in Rprec_mult_0.20
                raise MetricError(f"rankmetrics does not measure {theirs} of {self.library}. {instead}".strip())

    def unknown_metric(self, name: str, ours: str | None) -> MetricError:
        """The error for a name that the library does not have.

        Args:
            name: the name.
            ours: the metric of rankmetrics with this name; None if there is no such metric.
        """
        known = ", ".join(self.spellings)
        if ours is None:
            return MetricError(
                f"There is no metric {name!r} under {self.name}, nor in rankmetrics."
                f"{did_you_mean(name, self.spellings)} Under {self.name} there are: {known}."
            )
        return MetricError(
            f"There is no metric {name!r} under {self.name}: there are {known}. For the {ours} of rankmetrics, by its "
            f"own definition and over its own lists, write {name}(convention=rankmetrics)."
        )


# A file as TOML has it: a value for each key.
Content = dict[str, Any]

# What the value of a key may be, in the words of the error.
TEXT, TEXTS, TEXTS_OR_ALL = "a text", "a list of texts", 'a list of texts, or "all"'
TABLE, SETTINGS = "a table of texts", "a table of texts and numbers"

SHAPES: Mapping[str, Callable[[Any], bool]] = {
    TEXT: lambda value: isinstance(value, str) and bool(value.strip()),
    TEXTS: lambda value: isinstance(value, list) and all(isinstance(text, str) and text.strip() for text in value),
    TEXTS_OR_ALL: lambda value: value == "all" or SHAPES[TEXTS](value),
    TABLE: lambda value: isinstance(value, dict) and all(isinstance(text, str) for text in value.values()),
    SETTINGS: lambda value: isinstance(value, dict) and all(_is_setting(setting) for setting in value.values()),
}

KEYS: Mapping[str, str] = {
    "library": TEXT,
    "source": TEXT,
    "extends": TEXT,
    "aliases": TEXTS,
    "notes": TEXTS,
    "no_cutoff": TEXTS,
    "needs_cutoff": TEXTS_OR_ALL,
    "policies": SETTINGS,
    "spellings": TABLE,
    "patterns": TABLE,
    "refused": TABLE,
}

# Keys that a file must have, and keys whose values a file takes over from the convention that it extends.
REQUIRED = ("library", "source", "notes")
INHERITED = ("policies", "spellings", "patterns", "refused", "no_cutoff", "needs_cutoff")


def _is_setting(value: object) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def read_folder(folder: Traversable) -> tuple[Convention, ...]:
    """The conventions of a folder, in the order of their names: one for each file `name.toml`.

    Raises:
        MetricError: a file is no TOML, has an unknown key or a value of the wrong type, lacks a key, names a policy,
            a choice, a metric or a convention that does not exist, or two files share a name or an alias.
    """
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    contents = {file.name.removesuffix(".toml"): _read_file(file) for file in files}
    found = tuple(_convention_of(name, _extended(name, contents)) for name in sorted(contents))
    _refuse_shared_names(found)
    return found


def _read_file(file: Traversable) -> Content:
    """The content of a file, each value of the type that its key needs."""
    import tomllib  # most evaluations name no convention

    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MetricError(f"{file.name} is no TOML: {error}") from error
    for key, value in content.items():
        if key not in KEYS:
            raise MetricError(f"{file.name}: there is no key {key!r}.{did_you_mean(key, KEYS)} Keys are {names(KEYS)}.")
        if not SHAPES[KEYS[key]](value):
            raise MetricError(f"{file.name}: {key} must be {KEYS[key]}: {value!r} is not.")
    for key in REQUIRED:
        if key not in content:
            raise MetricError(f"{file.name}: the key {key!r} is missing.")
    return content


def _extended(name: str, contents: Mapping[str, Content], below: tuple[str, ...] = ()) -> Content:
    """A file's content, with the values that it takes over from the convention that it extends."""
    content = contents[name]
    if "extends" not in content:
        return content
    parent, path = content["extends"], (*below, name)
    if parent in path:
        raise MetricError(f"{name}.toml: {' extends '.join((*path, parent))}: a circle.")
    if parent not in contents:
        raise MetricError(
            f"{name}.toml: extends = {parent!r}: there is no such convention.{did_you_mean(parent, contents)}"
        )
    taken_over = _extended(parent, contents, path)
    merged = {key: _merge(taken_over[key], content.get(key)) for key in INHERITED if key in taken_over}
    return {**content, **merged}


def _merge(inherited: Any, own: Any) -> Any:
    """An inherited value with the file's own: tables entry by entry, lists one after the other."""
    if own is None or inherited == "all":
        return inherited
    if isinstance(inherited, dict):
        return {**inherited, **own}
    return own if own == "all" else [*inherited, *own]


def _convention_of(name: str, content: Content) -> Convention:
    """The convention that a file describes; its policies, its patterns and the names in its lists are checked."""
    spellings = content.get("spellings", {})
    needs_cutoff = spellings if content.get("needs_cutoff") == "all" else content.get("needs_cutoff", ())
    convention = Convention(
        name=name,
        library=content["library"],
        source=content["source"],
        policies=content.get("policies", {}),
        spellings=spellings,
        notes=tuple(_one_line(note) for note in content["notes"]),
        aliases=tuple(content.get("aliases", ())),
        refused={theirs: _one_line(instead) for theirs, instead in content.get("refused", {}).items()},
        no_cutoff=frozenset(content.get("no_cutoff", ())),
        needs_cutoff=frozenset(needs_cutoff),
        patterns=content.get("patterns", {}),
    )
    if not spellings:
        raise MetricError(f"{convention.origin}: the key 'spellings' is missing: it names the library's metrics.")
    _check_policies(convention)
    _check_names(convention)
    _check_patterns(convention)
    return convention


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _check_policies(convention: Convention) -> None:
    """Refuse a policy that does not exist, and a value that the policy does not take."""
    shared = [file.name for kind in ("policy", "parameter") for file in catalog().all(kind) if "." not in file.name]
    for name, value in convention.policies.items():
        if name not in shared:
            raise MetricError(f"{convention.origin}: [policies] has no policy {name!r}.{did_you_mean(name, shared)}")
        try:
            catalog().shared(name).check(convention.name, value)
        except MetricError as error:
            raise MetricError(f"{convention.origin}: [policies] {error}") from error


def _check_names(convention: Convention) -> None:
    """Refuse two spellings that differ in case only, and a list that names no metric of `spellings`."""
    seen: dict[str, str] = {}
    for theirs in convention.spellings:
        first = seen.setdefault(plain(theirs), theirs)
        if first != theirs:
            raise MetricError(f"{convention.origin}: [spellings] {first!r} and {theirs!r} differ in case only.")
    for key, listed in (("no_cutoff", convention.no_cutoff), ("needs_cutoff", convention.needs_cutoff)):
        for theirs in sorted(listed - {*convention.spellings}):
            near = did_you_mean(theirs, convention.spellings)
            raise MetricError(f"{convention.origin}: {key} names {theirs!r}, which [spellings] has not.{near}")
    for theirs in sorted(convention.no_cutoff & convention.needs_cutoff):
        raise MetricError(f"{convention.origin}: {theirs!r} is in no_cutoff and in needs_cutoff.")


def _check_patterns(convention: Convention) -> None:
    """Refuse a pattern that is no regular expression."""
    for pattern in convention.patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise MetricError(
                f"{convention.origin}: [patterns] {pattern!r} is no regular expression: {error}"
            ) from error


def _refuse_shared_names(conventions: tuple[Convention, ...]) -> None:
    """Refuse a name or an alias that two conventions have, and the name of rankmetrics' own definitions."""
    owners = {"rankmetrics": "rankmetrics itself"}
    for convention in conventions:
        for name in (convention.name, *convention.aliases):
            owner = owners.setdefault(plain(name), convention.origin)
            if owner != convention.origin:
                raise MetricError(f"{convention.origin}: {name!r} is a name of {owner} already.")


# Every convention, in the order of their names; `__getattr__` reads them.
CONVENTIONS: tuple[Convention, ...]

# The definitions of rankmetrics itself, for a metric that does not follow the convention of the other metrics.
OURS = Convention(name="rankmetrics", library="rankmetrics itself")


def __getattr__(name: str) -> tuple[Convention, ...]:
    if name == "CONVENTIONS":
        return _read()
    raise AttributeError(name)


@cache
def _read() -> tuple[Convention, ...]:
    """The conventions that ship; read when first used, since most evaluations name none."""
    return read_folder(sql_folder() / "conventions")


def find(name: str) -> Convention:
    """A convention by its name or an alias, in any case; `rankmetrics` is the convention of our own definitions.

    Raises:
        MetricError: no convention has this name; the nearest names are given.
    """
    for convention in (*_read(), OURS):
        if plain(str(name)) in {plain(known) for known in (convention.name, *convention.aliases)}:
            return convention
    known = [convention.name for convention in _read()]
    raise MetricError(f"There is no convention {name!r}: there are {names(known)}.{did_you_mean(str(name), known)}")
