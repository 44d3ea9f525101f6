"""The command line: flags, and commands that call the package and print.

`flags`: options as flags, and flags back to options; `commands`: the commands; `console`: `command`, which makes a
command of a function; the connection, progress, printing.

An option of an evaluation is a flag of every command that evaluates, from its declaration in `request.py`. A flag of
one command is a parameter of the command's function, `n: Annotated[int, typer.Option("-n", help="...")] = 20`: first
make it work in Python, since a command only reads flags, calls the package and prints.
"""
