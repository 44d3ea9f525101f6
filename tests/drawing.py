"""How much Hypothesis draws: where CI is set the same every time, elsewhere something new.

RANKMETRICS_DRAWS=20 draws twenty times as much.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

TIMES = int(os.environ.get("RANKMETRICS_DRAWS", "1"))


def examples(most: int, *, shrunk: bool = False) -> settings:
    """So many examples; one that fails is made smaller if asked, which takes minutes where there are many inputs."""
    return settings(
        max_examples=most * TIMES,
        deadline=None,  # a busy machine takes a second now and then for what is done in no time
        database=None,
        phases=[Phase.explicit, Phase.generate, *([Phase.shrink] if shrunk else [])],
        derandomize="CI" in os.environ,
        suppress_health_check=[HealthCheck.too_slow],
    )
