"""The conventions of other libraries, by name: read from sql/conventions when first used.

A convention is data: the library's own spellings, each with the metric of rankmetrics that gives its number, and the
policies that its metrics share: which lists are averaged, which of equal scores comes first, which items are relevant,
how a repeated item counts. No library has code of its own: a convention sets parameters that users can set, too.

The metrics in `spellings` stay texts until they are requested: parsing them all would read half of the files of sql/.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from rankmetrics._files import sql_folder
from rankmetrics.errors import MetricError, choices_for, did_you_mean, plain
from rankmetrics.messages import said

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@dataclass(frozen=True)
class Convention:
    """The convention of another library: its names of metrics, and the settings that give its numbers."""

    name: str  # as in `convention="replay"`; the name of the file
    library: str  # the library and its releases
    source: str = ""  # the release that the numbers were checked against, or the document that they are taken from
    policies: Mapping[str, str | float] = field(default_factory=dict)  # the settings that all metrics of it share
    # the library's name of each metric -> the metric of rankmetrics that gives its number
    spellings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # where the library departs from its documentation, or rankmetrics from the library
    aliases: tuple[str, ...] = ()  # other names of the convention
    # metrics of the library that rankmetrics does not measure -> a sentence on what to use instead, or ""
    refused: Mapping[str, str] = field(default_factory=dict)
    no_cutoff: frozenset[str] = frozenset()  # metrics that always measure the whole list; a cutoff is refused
    needs_cutoff: frozenset[str] = frozenset()  # metrics that always have a cutoff; a missing cutoff is refused
    # by metric, a regular expression of parameters that change nothing, as `beta=1` does at its default
    defaults: Mapping[str, str] = field(default_factory=dict)
    patterns: Mapping[str, str] = field(default_factory=dict)  # how the library writes parameters -> how we write them

    @property
    def what(self) -> str:
        """The library with its source, as in `ranx 0.3 (checked against 0.3.21)`."""
        return f"{self.library} ({self.source})" if self.source else self.library

    def find(self, name: str) -> tuple[str, str] | None:
        """The library's name of a metric, in any case, with the metric of rankmetrics that gives its number."""
        return next((pair for pair in self.spellings.items() if plain(pair[0]) == plain(name)), None)

    def rewrite(self, text: str) -> str:
        """A metric written as in the library, rewritten as in rankmetrics: ranx's `ndcg@10-l2` is `ndcg(rel=2)@10`."""
        self.refuse(re.split(r"[(@]", text.strip())[0])
        text = self._without_defaults(text)
        for pattern, ours in self.patterns.items():
            if match := re.fullmatch(pattern, text.strip()):
                return match.expand(ours)
        return text

    def _without_defaults(self, text: str) -> str:
        """A metric as the library writes it, without parameters at their default; the cutoff `k` comes first."""
        call = re.fullmatch(r"\s*(\w+)\s*\((.*)\)(.*)", text, re.DOTALL)
        default = call and next((known for name, known in self.defaults.items() if plain(name) == plain(call[1])), None)
        if not call or default is None:
            return text
        settings = [re.sub(r"\s*=\s*", "=", setting.strip(), count=1) for setting in call[2].split(",")]
        others = [setting for setting in settings if not re.fullmatch(default, re.sub("['\"]", "", setting))]
        inside = ", ".join(sorted(others, key=lambda setting: not setting.startswith("k=")))
        return f"{call[1]}({inside}){call[3]}" if inside else f"{call[1]}{call[3]}"

    def refuse(self, name: str) -> None:
        """Refuse a metric of the library that rankmetrics does not measure."""
        for theirs, instead in self.refused.items():
            if re.fullmatch(rf"{plain(theirs)}\d*", plain(name)):  # with or without a parameter, as in Rprec_mult_0.20
                raise MetricError(f"rankmetrics does not measure {theirs} of {self.library}. {instead}".strip())

    def unknown_metric(self, name: str, ours: str | None) -> MetricError:
        """The error for a name that the library does not have; `ours` is the metric of rankmetrics with this name."""
        known = {"name": name, "convention": self.name, "known": ", ".join(self.spellings)}
        if ours is None:
            return said(MetricError, "no_metric_anywhere", near=did_you_mean(name, self.spellings), **known)
        return said(MetricError, "no_metric_of_convention", ours=ours, **known)


# Keys whose values a file takes over from the convention that it extends.
INHERITED = ("policies", "spellings", "defaults", "patterns", "refused", "no_cutoff", "needs_cutoff")


def read_folder(folder: Traversable) -> tuple[Convention, ...]:
    """The conventions of a folder, by name: one for each file `name.toml`; tests check those that ship."""
    import tomllib  # most evaluations name no convention

    files = {file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.name.endswith(".toml")}
    contents = {name: tomllib.loads(files[name].read_text(encoding="utf-8")) for name in sorted(files)}
    return tuple(_convention_of(name, _extended(name, contents)) for name in contents)


def _extended(name: str, contents: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """A file's content, with the values that it takes over from the convention that it extends."""
    content = contents[name]
    if "extends" not in content:
        return content
    parent = _extended(content["extends"], contents)
    return {**content, **{key: _merge(parent[key], content.get(key)) for key in INHERITED if key in parent}}


def _merge(inherited: Any, own: Any) -> Any:
    """An inherited value with the file's own: tables entry by entry, lists one after the other."""
    if own is None or inherited == "all":
        return inherited
    if isinstance(inherited, dict):
        return {**inherited, **own}
    return own if own == "all" else [*inherited, *own]


def _convention_of(name: str, content: Mapping[str, Any]) -> Convention:
    values = {key: value for key, value in content.items() if key != "extends"}
    if values.get("needs_cutoff") == "all":
        values["needs_cutoff"] = values["spellings"]
    values["notes"] = tuple(" ".join(note.split()) for note in values["notes"])
    values["aliases"] = tuple(values.get("aliases", ()))
    values["refused"] = {theirs: " ".join(instead.split()) for theirs, instead in values.get("refused", {}).items()}
    values |= {key: frozenset(values.get(key, ())) for key in ("no_cutoff", "needs_cutoff")}
    return Convention(name, **values)


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
    """A convention by its name or an alias, in any case; `rankmetrics` is the convention of our own definitions."""
    for convention in (*_read(), OURS):
        if plain(str(name)) in {plain(known) for known in (convention.name, *convention.aliases)}:
            return convention
    known = [convention.name for convention in _read()]
    raise MetricError(f"There is no convention {name!r}: there are {choices_for(name, known)}")
