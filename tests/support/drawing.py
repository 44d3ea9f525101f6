"""How much Hypothesis draws: where CI is set the same every time, elsewhere something new.

`make test` draws a fifth of what a test asks for, `make test-all` all of it, `make draw` twenty times as much:
RANKMETRICS_DRAWS says how many times.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, Phase, settings

TIMES = float(os.environ.get("RANKMETRICS_DRAWS", "0.2"))


Case = TypeVar("Case")


def share(of: Sequence[Case]) -> Sequence[Case]:
    """The cases of a long test that are tried: all of them, or every second, third … where fewer are generated."""
    return of[:: max(1, round(1 / TIMES))]


def scaled(most: int) -> int:
    return max(1, round(most * TIMES))


def examples(most: int, *, shrunk: bool = False) -> settings:
    """So many examples; one that fails is made smaller if asked, which takes minutes where there are many inputs."""
    return settings(
        max_examples=scaled(most),
        deadline=None,  # a busy machine takes a second now and then for what is done in no time
        database=None,
        phases=[Phase.explicit, Phase.generate, *([Phase.shrink] if shrunk else [])],
        derandomize="CI" in os.environ,
        suppress_health_check=[HealthCheck.too_slow],
    )
