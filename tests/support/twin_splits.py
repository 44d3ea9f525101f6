"""The splits once more, in plain Python, written to be read: what sql/splits must return."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from hashlib import md5
from typing import Any

# An interaction: user, item, time.
Row = tuple[Any, Any, Any]

# A row with its fold (None for methods without folds) and its subset.
Placed = tuple[int | None, Row, str | None]


def user_hash(row: Row, seed: object) -> str:
    return md5(f"{seed}:{row[0]}".encode()).hexdigest()


def row_hash(row: Row, seed: object) -> str:
    return md5(f"{user_hash(row, seed)}:{row[1]}".encode()).hexdigest()


def below(digest: str, share: Fraction) -> bool:
    """Whether a hash is below a share of all hashes, read as a number of 32 bits."""
    return int(digest[:8], 16) < round(share * 2**32)


def rounded(number: float) -> int:
    """The nearest whole number; a half is rounded up."""
    return math.floor(number + 0.5)


def rounded_to_even(number: float) -> int:
    return round(number)


def by_user(rows: Iterable[Row]) -> dict[Any, list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[row[0]].append(row)
    return found


def numbered(keys: Sequence[Any], *, dense: bool = False) -> list[int]:
    """The rank of each key from 1; equal keys have one rank, and the next key counts them all unless `dense`."""
    ordered = sorted({*keys} if dense else keys)
    return [ordered.index(key) + 1 for key in keys]


def _latest_first(row: Row, seed: object) -> tuple[int, str]:
    return (-row[2], row_hash(row, seed))


def _random_order(row: Row, seed: object) -> tuple[int, str]:
    return (-int(row_hash(row, seed), 16), "")


ORDERS: dict[str, Callable[[Row, object], tuple[int, str]]] = {"last": _latest_first, "random": _random_order}


def split_random(rows: Sequence[Row], *, test_fraction: float = 0.2, seed: object = 0) -> list[Placed]:
    return [(None, row, "test" if below(row_hash(row, seed), Fraction(test_fraction)) else "train") for row in rows]


def split_last(
    rows: Sequence[Row], *, n_test: Callable[[int], int], min_history: int = 1, pick: str = "last", seed: object = 0
) -> list[Placed]:
    """Hold out some rows of each user: as many as `n_test` returns for a user of so many rows."""
    found: list[Placed] = []
    for own in by_user(rows).values():
        ranks = numbered([ORDERS[pick](row, seed) for row in own])
        held_out = n_test(len(own))
        n_history = sum(rank > held_out for rank in ranks)
        for row, rank in zip(own, ranks, strict=True):
            is_test = rank <= held_out and n_history >= min_history
            found.append((None, row, "test" if is_test else "train"))
    return found


def split_users(
    rows: Sequence[Row],
    *,
    mode: str = "separated",
    users_test_fraction: float = 0.1,
    max_test_users: int | None = None,
    items_test_fraction: float = 0.3,
    min_items_pool: int = 2,
    min_pos_test: int = 1,
    consider_cold_start: bool = False,
    seed: object = 0,
) -> list[Placed]:
    users, n_data_items = by_user(rows), len({row[1] for row in rows})
    n_items = {user: len({row[1] for row in own}) for user, own in users.items()}
    n_test = {user: rounded(n * items_test_fraction) for user, n in n_items.items()}
    eligible = [
        user
        for user in sorted(users, key=lambda user: user_hash(users[user][0], seed))
        if n_test[user] >= min_pos_test
        and n_data_items - (n_items[user] - n_test[user]) >= min_items_pool
        and n_items[user] + 1 < n_data_items
        and (consider_cold_start or n_test[user] < n_items[user])
    ]
    n_users = max(1, rounded_to_even(len(users) * users_test_fraction))
    tested = eligible[: min(n_users, max_test_users or n_users)]
    if mode == "all":
        tested = [*users]
    found: list[Placed] = []
    for user, own in users.items():
        places = numbered([row_hash(row, seed) for row in own], dense=True)
        for row, place in zip(own, places, strict=True):
            if user not in tested:
                found.append((None, row, "train"))
            else:
                rest = "history" if mode == "separated" else "train"
                found.append((None, row, "test" if place <= n_test[user] else rest))
    return found


def read_time(text: str, kind: type[date]) -> Any:
    """A length of time, or a time of a kind, from its text."""
    number, _, unit = text.partition(" ")
    return timedelta(**{unit: int(number)}) if unit in ("days", "hours") else kind.fromisoformat(text)


def before(time: Any, length: Any) -> Any:
    """The time that is a length of time before another; without a length, the time itself."""
    return time if length is None else time - length


def split_time(rows: Sequence[Row], *, at: Any = None, test_fraction: float = 0.2, gap: Any = None) -> list[Placed]:
    if at is None:
        cuts = [
            moment for _, _, moment in rows if sum(time >= moment for _, _, time in rows) <= len(rows) * test_fraction
        ]
        if not cuts:
            return [(None, row, None) for row in rows]
        at = min(cuts)
    return [(None, row, "test" if row[2] >= at else "train" if row[2] < before(at, gap) else None) for row in rows]


def split_kfold(
    rows: Sequence[Row],
    *,
    folds: int = 5,
    of: str = "users",
    items_test_fraction: float | None = None,
    seed: object = 0,
) -> list[Placed]:
    digest = {"users": user_hash, "rows": row_hash}[of]
    bounds = [Fraction(fold / folds) for fold in range(folds + 1)]
    places = {}
    for own in by_user(rows).values():
        digests = [row_hash(row, seed) for row in own]
        for row, place in zip(own, numbered(digests, dense=True), strict=True):
            share = 1 if items_test_fraction is None else items_test_fraction
            places[row] = place <= rounded(len({*digests}) * share)
    found: list[Placed] = []
    for fold in range(folds):
        for row in rows:
            own_hash = digest(row, seed)
            is_in_fold = below(own_hash, bounds[fold + 1]) and not below(own_hash, bounds[fold])
            found.append((fold + 1, row, "test" if is_in_fold and places[row] else "train"))
    return found


def split_sliding(
    rows: Sequence[Row],
    *,
    at: Any,
    width: Any,
    step: Any = None,
    gap: Any = None,
    train_width: Any = None,
    windows: int = 3,
) -> list[Placed]:
    found: list[Placed] = []
    for window in range(windows):
        start = at + window * (step or width)
        for row in rows:
            until = before(start, gap)
            is_train = row[2] < until and (train_width is None or row[2] >= until - train_width)
            is_test = start <= row[2] < start + width
            found.append((window + 1, row, "test" if is_test else "train" if is_train else None))
    return found


def k_core(rows: Sequence[Row], k: int, rounds: int = 10) -> list[Row]:
    kept = [*rows]
    for _ in range(rounds):
        for role in (0, 1):
            counts = Counter(row[role] for row in kept)
            kept = [row for row in kept if counts[row[role]] >= k]
    return kept


def without_cold(placed: Sequence[Placed], role: int) -> list[Placed]:
    """Without test rows of users (role 0) or items (role 1) that have no other rows; rows of no subset go, too."""
    known = {(fold, row[role]) for fold, row, subset in placed if subset in ("train", "history")}
    return [
        (fold, row, subset)
        for fold, row, subset in placed
        if subset is not None and (subset != "test" or (fold, row[role]) in known)
    ]


SPLITS: dict[str, Callable[..., list[Placed]]] = {
    "random": split_random,
    "users": split_users,
    "last_n": lambda rows, *, n=1, **more: split_last(rows, n_test=lambda _: n, **more),
    "leave_one_out": lambda rows, **more: split_last(rows, n_test=lambda _: 1, **more),
    "per_user_fraction": lambda rows, *, test_fraction=0.2, **more: split_last(
        rows, n_test=lambda n_rows: rounded(n_rows * test_fraction), **more
    ),
    "time": split_time,
    "kfold": split_kfold,
    "sliding": split_sliding,
}


def split(rows: Sequence[Row], method: str, **options: Any) -> list[Placed]:
    """Each row with its fold and subset. With times that are no numbers, times and their lengths are texts."""
    for name in ("at", "gap", "width", "step", "train_width"):
        if isinstance(options.get(name), str):
            options[name] = read_time(options[name], type(rows[0][2]))
    core, rounds = options.pop("k_core", None), options.pop("rounds", 10)
    cold = [options.pop(name, "keep") for name in ("cold_users", "cold_items")]
    kept = rows if core is None else k_core(rows, core, rounds)
    if method not in ("time", "sliding"):
        n_rows = 0 if options.pop("stable", False) else len(rows)
        options["seed"] = f"{options.get('seed', 0)}:{method}:{n_rows}"
    placed = SPLITS[method](kept, **options)
    for role, choice in enumerate(cold):
        placed = without_cold(placed, role) if choice == "drop" else placed
    return placed
