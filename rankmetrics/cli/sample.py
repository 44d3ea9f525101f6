"""The sample that ships, as files to try commands on."""

from __future__ import annotations

from pathlib import Path

from rankmetrics._files import data_folder, new_file
from rankmetrics.errors import InputError


def save_sample(folder: Path) -> list[Path]:
    """Write the Parquet files of the sample into a folder, which is made if there is none.

    Returns:
        The files that were written. Files of the sample that are there already are kept.

    Raises:
        InputError: another file of this name is there already, or the folder cannot be written.
    """
    sources = sorted(data_folder().glob("*.parquet"))
    targets = [folder / source.name for source in sources]
    for source, target in zip(sources, targets, strict=True):
        if target.exists() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
            raise InputError(f"There is another file {str(target)!r} already, which stays as it is: name a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"Cannot make the folder {str(folder)!r}: {error.strerror or error}.") from error
    for source, target in zip(sources, targets, strict=True):
        with new_file(target) as temporary:
            temporary.write_bytes(source.read_bytes())
    return targets
