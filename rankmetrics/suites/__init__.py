"""Named suites of rankmetrics.toml: the inputs, metrics and options of an evaluation, and its gate."""
