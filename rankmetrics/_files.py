"""Finds sql/, docs/ and data/ in the package, next to it, or in its archive. Writes files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rankmetrics.errors import InputError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@cache
def sql_folder() -> Traversable:
    """The folder of the SQL files; in an archive, where the package is imported from one, as by `spark-submit`."""
    return _folder("sql")


@cache
def docs_folder() -> Traversable:
    """The folder of the pages of the documentation."""
    return _folder("docs")


@cache
def data_folder() -> Path:
    """The folder of the sample."""
    return Path(str(_folder("data")))


def _folder(name: str) -> Traversable:
    package = Path(__file__).parent
    folders = [folder for folder in (package / name, package.parent / name) if folder.is_dir()]
    return folders[0] if folders else packaged(name)


def packaged(name: str) -> Traversable:
    """The file or folder of the package with a name, whether the package is in a folder or in an archive."""
    from importlib.resources import files  # half of what importing this package takes

    return files("rankmetrics") / name


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


@contextmanager
def new_file(path: str | Path) -> Iterator[Path]:
    """The same as `whole_file`, for a file that a caller names; an InputError says that it cannot be written."""
    try:
        with whole_file(Path(path)) as temporary:
            yield temporary
    except OSError as error:
        raise InputError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error
