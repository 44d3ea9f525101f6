"""Where the numbers are that other systems returned."""

from __future__ import annotations

import pytest

from peers.reproduction import SHARED

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the reference numbers of other systems are not here: {SHARED} is not a folder"
)
