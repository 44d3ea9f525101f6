"""The inputs: where they come from, which column is for what."""
