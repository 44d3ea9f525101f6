"""The libraries that were run: a module each, found by its name."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from tests.fidelity.library import Library

LIBRARIES: tuple[Library, ...] = tuple(
    import_module(f"{__name__}.{module.name}").LIBRARY
    for module in sorted(iter_modules(__path__), key=lambda module: module.name)
)
