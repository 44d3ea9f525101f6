"""Tools that write the generated pages and pictures of docs/, build the site, and try the distributions."""

from pathlib import Path

# The checkout, and its documentation.
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
