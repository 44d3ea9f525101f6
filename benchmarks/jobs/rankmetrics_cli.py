"""The metrics over two files, by the command line: the folder, then the metrics. It checks the data and counts, too."""

import sys
from pathlib import Path

from rankmetrics.cli.commands import app

folder, metrics = Path(sys.argv[1]), sys.argv[2:]
asked = [word for metric in metrics for word in ("-m", metric)]
app(["evaluate", str(folder / "recs.parquet"), str(folder / "truth.parquet"), *asked])
