"""The sections of a report: each a function from the facts of an evaluation to blocks."""
