"""The parameters of the commands: those that they write themselves, and how they take the flags of a Request."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from rankmetrics.cli.flags import complete_metric, flags_of
from rankmetrics.cli.logs import Verbose, logged
from rankmetrics.declaration import Face, declaration_of
from rankmetrics.engines.systems import SYSTEM
from rankmetrics.request import options_of


def meaning_of(option: str) -> str:
    """What an option of a Request means."""
    return declaration_of(options_of("flag")[option]).meaning


Recs = Annotated[str, typer.Argument(help=meaning_of("recs"))]
Truth = Annotated[str, typer.Argument(help=meaning_of("truth"))]
Metrics = Annotated[
    list[str],
    typer.Option(
        "-m",
        "--metric",
        help=f"{meaning_of('metrics').removesuffix('.')}. Can be repeated.",
        autocompletion=complete_metric,
    ),
]


class WithSystems(TyperCommand):
    """A command whose --system-from-file may go without a name: Typer has no such options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, with the usual name where none is given."""
        flag = "--system-from-file"
        if flag in args:
            place = args.index(flag) + 1
            if place == len(args) or not re.fullmatch(r"\w+", args[place]):
                args = [*args[:place], SYSTEM, *args[place:]]
        return super().parse_args(ctx, args)


def taking(face: Face, *more: str, without: Sequence[str] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command that takes the options of a function beside its own: the values of all come to it as `given`.

    Args:
        face: the function whose options the command takes.
        more: names of further options.
        without: names of options that the command does not take.
    """

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        own = {
            name: parameter
            for name, parameter in signature(command, eval_str=True).parameters.items()
            if name != "given"
        }
        flags = [flag for flag in flags_of(face, *more, without=without) if flag.name not in own]

        flags.append(Parameter("verbose", Parameter.KEYWORD_ONLY, default=0, annotation=Verbose))

        @wraps(command)
        def run(**values: Any) -> None:
            with logged(values.pop("verbose")):
                command(**{name: values[name] for name in own}, given=values)

        parameters = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in [*own.values(), *flags]]
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # it is what Typer reads
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return with_options
