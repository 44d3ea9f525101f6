"""Options in messages, as a file of suites writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rankmetrics.errors import Option


def as_key(option: Option) -> str:
    """An option as TOML writes it.

    >>> print(as_key(Option("lists", ["user"])), as_key(Option("columns", {"item": "my sku"})), sep="; ")
    lists = ["user"]; columns = {item = "my sku"}
    >>> print(as_key(Option("minimum", {"ndcg@10": 0.25})), as_key(Option("strict", value=True)), sep="; ")
    minimum = {"ndcg@10" = 0.25}; strict = true
    >>> print(as_key(Option("extra_columns", {"category": "genre"}, of="items")), as_key(Option("truth")), sep="; ")
    extra_columns = {items = {category = "genre"}}; truth
    """
    if option.value is None or option.value is ...:
        return option.name
    value = {option.of: option.value} if option.of else option.value
    return f"{option.name} = {_literal(value)}"


def _literal(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(str(key))} = {_literal(one)}' for key, one in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_literal, value))}]"
    if value is ...:
        return "..."
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (str, bool, int, float)) else str(value)


def _key(name: str) -> str:
    """A key of TOML, in quotes if it needs them."""
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else json.dumps(name, ensure_ascii=False)
