"""implicit's evaluation functions over a model that recommends the lists of the problems."""

from __future__ import annotations

from tests.fidelity.library import Library


def _implicit(metric: str, setting: str, k: int | None) -> str:  # it has no settings
    """A metric of implicit."""
    return f"{metric}@{k}"


LIBRARY = Library("implicit", "implicit", "implicit", _implicit, ranked=True, extras=("catalog",))
