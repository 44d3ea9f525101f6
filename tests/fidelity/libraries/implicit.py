"""implicit's evaluation functions over a model that recommends the lists of the problems."""

from __future__ import annotations

from tests.fidelity.library import Library, without_settings

LIBRARY = Library("implicit", "implicit", "implicit", without_settings, ranked=True, extras=("catalog",))
