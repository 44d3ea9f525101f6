"""A command of the command line that does not exist: the folder, which is not read."""

from contextlib import suppress

from rankmetrics.cli.commands import app

with suppress(SystemExit):
    app(["evalute"])
