"""Where the numbers are that other systems returned."""

from __future__ import annotations

from pathlib import Path

import pytest

# Numbers that other systems returned, beside the checkout; they may not be redistributed, so they are not in it.
SHARED = Path(__file__).parents[3] / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the reference numbers of other systems are not here: {SHARED} is not a folder"
)
