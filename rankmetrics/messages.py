"""The messages of errors and warnings: the texts of sql/messages.toml, with their values in place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import TypeVar

from rankmetrics._files import sql_folder
from rankmetrics.errors import ColumnError, Option, RankMetricsError, RankMetricsWarning, names

Said = TypeVar("Said", bound=RankMetricsError | RankMetricsWarning)


def refused(message: str, /, **values: object) -> ColumnError:
    """The ColumnError of a message of sql/messages.toml."""
    return said(ColumnError, message, **values)


def said(kind: type[Said], message: str, /, **values: object) -> Said:
    """An error or a warning with a message of sql/messages.toml and the page of the message.

    Lists are written as names; a field of the message that has no value is an option.
    """
    page, text = _messages()[message]
    options = {field: option_of(field) for _, field, *_ in Formatter().parse(text) if field}
    written = {name: names(value) if isinstance(value, list) else value for name, value in values.items()}
    return kind(text.format(**options | written), page=page)


def option_of(field: str) -> Option:
    """The option of a field such as `lists`, `ties=input`, `log=` or `lists=*`."""
    name, is_set, value = field.partition("=")
    values = {"": None, "*": [...], "true": True, "false": False, "0": 0}
    return Option(name, values.get(value, value), is_noun=not is_set)


@cache
def _messages() -> Mapping[str, tuple[str, str]]:
    import tomllib  # most evaluations refuse nothing

    pages = tomllib.loads((sql_folder() / "messages.toml").read_text(encoding="utf-8"))
    return {name: (page, " ".join(text.split())) for page, texts in pages.items() for name, text in texts.items()}
