"""An extension of Griffe for the Python reference of the site: the examples of a docstring are shown as code."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object


class Examples(Extension):
    """Names the section of a docstring as Griffe expects it: it reads doctests below `Examples:` only."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rename the section in the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
