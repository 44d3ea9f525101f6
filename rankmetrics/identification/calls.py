"""Calls a function on problems, in each of the usual ways of giving a list and its ratings to a metric."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from pkgutil import iter_modules
from typing import Any, cast

from rankmetrics.errors import InputError, did_you_mean, plain
from rankmetrics.identification.problems import CUTOFF, Problem, problems_of
from rankmetrics.messages import said

Function = Callable[..., Any]

# Names of the cutoff among the parameters of functions.
CUTOFF_NAMES = ("k", "at", "atk", "cutoff", "topk", "n", "topn", "kmax")

# The attributes of a problem that arguments hold: in words, and the usual names of such parameters.
ROLES: Mapping[str, tuple[str, str]] = {
    "items": ("ids in rank order", "recommended recommendations recs predicted predictions pred ranked retrieved ids"),
    "relevant": ("relevant ids", "actual relevant truth groundtruth gt gold target targets ytrue positives expected"),
    "ratings": ("ratings by id", "actual relevant relevance truth groundtruth gt gold ratings gains qrels"),
    "labels": ("labels", "ytrue true labels relevances relevance rels rel gains target targets r"),
    "scores": ("scores", "yscore yscores scores score ypred pred preds predictions"),
    "qrels": ("ratings by query and id", "qrels truth groundtruth gold"),
    "run": ("scores by query and id", "run runs results scores predictions"),
}

# The cutoffs of problems for a function without a parameter for it.
USUAL_CUTOFFS = (CUTOFF, 5, 10, 20)

# A function has to answer one of the first problems; otherwise the others are not tried in the same way.
N_PROBES = 6


def _ranked(problem: Problem) -> Problem:
    """A problem of which only the order is known: no two scores are equal, or below 0."""
    return replace(problem, scores=tuple(float(len(problem.items) - place) for place in range(len(problem.items))))


def _unrated(problem: Problem) -> Problem:
    """A problem of which only the order and the relevant items are known."""
    return replace(_ranked(problem), ratings=dict.fromkeys(problem.relevant, 1))


def _unrepeated(problem: Problem) -> Problem | None:
    return None if problem.has_repeats else problem


def _rows(problem: Problem) -> Problem | None:
    """A problem of which only the retrieved items are known, each with its rating; the id of an item is its place."""
    ids = tuple(f"i{place:03}" for place in range(1, len(problem.items) + 1))
    labels = dict(zip(ids, problem.labels, strict=True))
    return None if problem.has_repeats else replace(problem, items=ids, ratings=labels)


def _ranked_rows(problem: Problem) -> Problem | None:
    rows = _rows(problem)
    return rows and _ranked(rows)


OTHERS = "relevant items that were not retrieved"

# What arguments tell of a problem, None if they cannot express it; and what they do not tell.
KINDS: Sequence[tuple[tuple[str, ...], Callable[[Problem], Problem | None], Sequence[str]]] = (
    (("items", "relevant"), _unrated, ("ratings", "scores")),
    (("items", "ratings"), _ranked, ("scores",)),
    (("qrels", "run"), _unrepeated, ()),
    (("labels", "scores"), _rows, (OTHERS,)),
    (("labels",), _ranked_rows, ("scores", OTHERS)),
    (("problem",), lambda problem: problem, ()),
)


@dataclass(frozen=True)
class Form:
    """A way of giving a problem to a function.

    Attributes:
        roles: for each argument, the attribute of the problem that it holds.
        pack: makes the argument of a role and its value.
    """

    roles: tuple[str, ...]
    pack: Callable[[str, Any], Any] = lambda role, value: value

    @property
    def words(self) -> str:
        """The arguments in words."""
        return ", ".join(ROLES[role][0] if role in ROLES else "the problem" for role in self.roles)

    @property
    def untold(self) -> Sequence[str]:
        """What the arguments do not tell."""
        return next(untold for roles, _, untold in KINDS if {*roles} == {*self.roles})

    def told(self, problem: Problem) -> Problem | None:
        """What the arguments tell of a problem; None if they cannot express it."""
        return next(told for roles, told, _ in KINDS if {*roles} == {*self.roles})(problem)

    def n_named(self, names: Sequence[str]) -> int:
        """The number of arguments whose parameter has a usual name, less one if there are too few parameters."""
        named = (name in ROLES.get(role, ("", ""))[1].split() for name, role in zip(names, self.roles, strict=False))
        return sum(named) - (len(names) < len(self.roles))


@dataclass(frozen=True)
class Answers:
    """What a function returned for problems.

    Attributes:
        form: how it was called.
        takes_cutoff: True if the cutoff was an argument.
        problems: those that the arguments can express, as they tell them.
        originals: the same problems with all that there is to tell.
        values: for each of them the number, None for None and NaN, or the error that the function raised, as a text.
    """

    form: Form
    takes_cutoff: bool
    problems: Sequence[Problem]
    originals: Sequence[Problem]
    values: Sequence[float | str | None]

    @property
    def n_numbers(self) -> int:
        """The number of different numbers."""
        return len({value for value in self.values if isinstance(value, (int, float))})


def forms() -> Iterator[Form]:
    """The ways of calling a function, each also with its arguments the other way round."""
    for roles, *_ in KINDS[:-1]:
        for pack in _packs_of_numbers() if "labels" in roles else (list, set) if "relevant" in roles else (list,):
            for ordered in dict.fromkeys((roles, roles[::-1])):
                yield Form(ordered, partial(_packed, pack))


def _packed(pack: Callable[[Any], Any], role: str, value: Any) -> Any:
    if role in ("ratings", "qrels", "run"):
        return value
    return [*value] if role == "items" else pack([float(score) for score in value] if role == "scores" else value)


def _packs_of_numbers() -> Iterator[Callable[[Sequence[float]], Any]]:
    """Functions that make an argument of numbers: lists, or what packages have that are imported already."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy:
        yield lambda numbers: numpy.asarray(numbers, dtype=float)
    yield list
    if torch:  # labels are whole numbers, and stay so
        yield lambda numbers: torch.tensor(numbers, dtype=torch.float64 if float in map(type, numbers) else torch.long)
    if numpy:
        yield lambda numbers: numpy.asarray([numbers], dtype=float)


def ask(function: Function, k: int | None) -> list[Answers]:
    """What a function returns in each way in which it returns numbers, at a cutoff if it takes one.

    The ways that fit the names of its parameters best come first; if they name all arguments, there are no others.
    """
    parameters = _parameters(function)
    cutoff = next((name for name in parameters if plain(name) in CUTOFF_NAMES), None)
    names, known = [plain(name) for name in parameters if name != cutoff], [*forms()]
    if names == ["problem"]:
        known = [Form(("problem",))]
    takes_cutoff = cutoff is not None or names == ["problem"]
    cutoffs = [k or CUTOFF] if takes_cutoff else [*USUAL_CUTOFFS, *([k] if k else [])]
    problems, ways = problems_of(*cutoffs), dict[str, Answers]()
    known.sort(key=lambda form: form.n_named(names), reverse=True)
    for form in known:
        if ways and form.n_named(names) < len(form.roles) == known[0].n_named(names):
            break
        pairs = [(told, problem) for problem in problems if (told := form.told(problem)) is not None]
        values: list[float | str | None] = []
        for problem, _ in pairs:
            values.append(_answer(function, form, problem, cutoff))
            if len(values) == N_PROBES and not any(isinstance(value, float) for value in values):
                break
        answers = Answers(form, takes_cutoff, [told for told, _ in pairs], [each for _, each in pairs], values)
        if len(values) == len(pairs) and answers.n_numbers > 1:
            ways.setdefault(f"{answers.problems} {values}", answers)  # the same in another container adds nothing
    return [*ways.values()]


def _parameters(function: Function) -> list[str]:
    """The names of the parameters that can be given by place or name; none where Python cannot tell."""
    try:
        known = signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [each.name for each in known if each.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)]


def _answer(function: Function, form: Form, problem: Problem, cutoff: str | None) -> float | str | None:
    try:
        arguments = [form.pack(role, getattr(problem, role, problem)) for role in form.roles]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return number_of(function(*arguments, **({cutoff: problem.k} if cutoff else {})))
    except Exception as error:  # noqa: BLE001  # the function is the user's, and may raise anything
        return f"{type(error).__name__}: {error}".split("\n")[0]


def number_of(value: Any) -> float | None:
    """The number that a function returned, also if it is the only one of a mapping or a sequence; None for NaN.

    Raises:
        TypeError, ValueError: it is not one number.
    """
    while isinstance(value, (Mapping, list, tuple)):
        (value,) = value.values() if isinstance(value, Mapping) else value
    number = None if value is None else float(value.item() if hasattr(value, "item") else value)
    return None if number is None or math.isnan(number) else number


def read_function(text: str) -> Function:
    """The function that a text such as `mypackage.metrics:ndcg_at_k` names, also of a module in the working directory.

    Raises:
        InputError: there is no such module or function, or importing it fails.
    """
    module, _, name = text.partition(":")
    if not (module and name):
        raise said(InputError, "function_unread", text=text)
    sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
    except Exception as error:  # the module is the user's, and may raise anything
        near = did_you_mean(module, [each.name for each in iter_modules()]) if isinstance(error, ImportError) else ""
        why = f"{type(error).__name__}: {error}"
        raise said(InputError, "no_module", module=module, error=why, near=near) from error
    finally:
        sys.path.remove("")
    if not callable(found := getattr(found, name, None)):
        raise said(
            InputError, "no_function", name=name, module=module, near=did_you_mean(name, dir(sys.modules[module]))
        )
    return cast("Function", found)
