"""What it takes to import rankmetrics."""

import rankmetrics  # noqa: F401
