"""Finds sql/ and data/, inside the package or beside it in a checkout. Writes files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


@cache
def sql_folder() -> Path:
    """The folder of the SQL files."""
    return _folder("sql")


@cache
def data_folder() -> Path:
    """The folder of the sample."""
    return _folder("data")


def _folder(name: str) -> Path:
    package = Path(__file__).parent
    installed, checkout = package / name, package.parent / name
    return installed if installed.is_dir() else checkout


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary path to write to, renamed to `path` once written: nobody ever reads half a file."""
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix="".join(path.suffixes[-2:]), dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    umask = os.umask(0)
    os.umask(umask)
    temporary.chmod(0o666 & ~umask)  # mkstemp's files are private; the caller's should be as any other
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
