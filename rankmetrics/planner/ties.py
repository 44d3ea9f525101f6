"""Metrics over all orders of equal scores: which number a metric reads under `ties=expected`, `best` and `worst`.

The mean of a formula over all orders is the formula over the means only if it is linear in the numbers that depend on
the order: the mean of a quotient is not the quotient of the means. Other formulas are refused. The best and the worst
order bound each number that is read of hits, and so a formula that is linear in them, or is made of one of them. What
holds for a list holds for a system whose formula is linear in sums over its lists.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlglot import exp

from rankmetrics.errors import MetricError, Option
from rankmetrics.metrics.catalog import METRICS, RUNS, catalog
from rankmetrics.metrics.definition import Definition
from rankmetrics.metrics.metric import Settings
from rankmetrics.sqltree import tree

# The choices of the policy `ties` that put equal scores in no one order.
EXPECTED = "expected"
ALL_ORDERS = frozenset({EXPECTED, "best", "worst"})

# The columns of stages whose aggregates are the same whatever the order of equal scores.
FIXED: Mapping[str, frozenset[str]] = {
    "hits": frozenset({"item", "rating", "times"}),
    "recommended": frozenset({"rank"}),
    "recommendations_with_pool": frozenset({"rank", "pool", "score"}),
}

# The stages that are made of hits and their ranks alone, so that their rows follow from the best and the worst ranks.
OF_HITS = frozenset({"hits", "hits_within_r", "hits_by_position", "stop_chances", "cascade"})

# The stages whose rows represent all orders of equal scores.
OF_ALL_ORDERS = frozenset({"hit_chances", "hit_chances_within_r", "first_hit_chances", "tied_hits"})

# Sums over hits that also grow when a hit rises above the cutoff: only the formulas that ship make bounds of them.
UNBOUNDED = frozenset({"misses_before_hits", "ranks_of_hits"})

# The metrics that the errors name; a test holds them to what is refused.
WITH_EXPECTED = (
    *("accuracy", "ap", "auc", "dcg", "f_beta", "fall_out", "gauc", "hit", "mcc", "mean_recall", "n_hits"),
    *("ndcg", "percentile_rank", "pooled_precision", "precision", "r_precision", "rbp", "recall", "rr"),
    *("share_of_best", "utility", "weighted_precision", "weighted_recall"),
)
WITH_BOUNDS = (*WITH_EXPECTED, "all_relevant", "binary_g", "clicks", "err", "partial_auc", "set_ap")


def covers_all_orders(values: Settings) -> bool:
    """True if equal scores are in no one order."""
    return values.get("ties") in ALL_ORDERS


def form_of(definition: Definition, columns: Collection[str], values: Settings, asked: str) -> Definition:
    """The file of a number that reads some columns: of sql/expected, or refused, where equal scores change it."""
    if not covers_all_orders(values):
        return definition
    is_expected = values["ties"] == EXPECTED
    expected = catalog().find("expected", definition.name) if is_expected else None
    if definition.reads in (METRICS, RUNS):
        if definition.is_own and not is_expected and UNBOUNDED & {*columns}:
            raise refusal(asked, values)
        return expected or definition
    has_all_orders = definition.reads in OF_ALL_ORDERS if is_expected else _is_bounded(definition)
    if has_all_orders or not depends_on_order(definition, columns, values):
        return definition
    if expected is None:
        raise refusal(asked, values)
    return expected


def _is_bounded(definition: Definition) -> bool:
    """True if no other order gives a number over hits beyond the numbers of the best and the worst order.

    The deepest rank of a hit has no such bounds: it grows when a hit rises above the cutoff. A test holds the sums and
    counts that ship to all orders. Numbers of the user are untested.
    """
    is_of_hits = definition.reads in OF_HITS and not definition.is_own
    return is_of_hits and not tree.find(definition.expression, exp.Max, exp.Avg)


def depends_on_order(definition: Definition, columns: Collection[str], values: Settings) -> bool:
    """True if a number over a stage depends on the order of equal scores, which has not been chosen."""
    is_ranked = covers_all_orders(values) and "ties" in catalog().stage_parameters(definition.reads)
    return is_ranked and not (definition.reads in FIXED and FIXED[definition.reads] >= {*columns})


def refusal(asked: str, values: Settings) -> MetricError:
    """The error for a metric that has no exact value over all orders of equal scores."""
    choice = str(values["ties"])
    has = WITH_EXPECTED if choice == EXPECTED else WITH_BOUNDS
    reason = (
        "rankmetrics has no exact formula for its mean over all orders of tied scores: it is not linear in the numbers "
        "of hits, or it reads items that are not hits"
        if choice == EXPECTED
        else "rankmetrics knows no such bound"
    )
    return MetricError(
        f"{Option('ties', choice)} does not work for {asked}: {reason}. It works for these metrics, if nothing that "
        f"they divide by depends on the order: {', '.join(has)}. Choose an order for {asked}: "
        f"{asked.partition('@')[0].partition('(')[0]}(ties=item)."
    )


def as_multiple(value: exp.Expr, varying: Collection[str]) -> exp.Expr:
    """A formula that is a multiple of the only number that varies, as that number times a constant; others as they are.

    F1 of h hits is `2 * (h/k) * (h/R) / (h/k + h/R)`, which is h times its value for one hit. So it is linear in h.

    >>> from sqlglot import parse_one
    >>> as_multiple(parse_one("SQRT(n_hits / k * n_hits / n_relevant)"), {"n_hits"}).sql()
    'n_hits * (SQRT(1 / k * 1 / n_relevant))'
    >>> as_multiple(parse_one("n_hits * n_hits / k"), {"n_hits"}).sql()
    'n_hits * n_hits / k'
    """
    columns = {column for column in tree.find(value, exp.Column) if column.name in varying}
    if len(columns) != 1 or is_linear(value, varying) or _degree(value, {*varying}) != 1:
        return value
    (column,) = columns
    of_one = value.copy()
    for node in tree.find(of_one, exp.Column):
        if node == column:
            node.replace(exp.Literal.number(1))
    return exp.Mul(this=column.copy(), expression=exp.Paren(this=of_one))


def _degree(node: exp.Expr, varying: Collection[str]) -> float | None:
    """The degree of an expression that is homogeneous in the numbers that vary; None for other expressions."""

    def of(child: exp.Expr) -> float | None:
        return _degree(child, varying)

    if not {column.name for column in tree.find(node, exp.Column)} & {*varying}:
        return 0
    if isinstance(node, exp.Column):
        return 1
    if isinstance(node, (exp.Paren, exp.Neg, exp.Cast)):
        is_whole = isinstance(node, exp.Cast) and not node.args["to"].is_type(*exp.DataType.REAL_TYPES)
        return None if is_whole else of(node.this)
    if isinstance(node, exp.Sqrt):
        inside = of(node.this)
        return None if inside is None else inside / 2
    if isinstance(node, exp.Case) and len(node.args["ifs"]) == 1 and node.args.get("default"):
        test, then = node.args["ifs"][0].this, node.args["ifs"][0].args["true"]  # CASE WHEN x = 0 THEN 0 ELSE ...
        is_at_zero = isinstance(test, exp.EQ) and _is_zero(test.expression) and of(test.this)
        return of(node.args["default"]) if is_at_zero and _is_zero(then) else None
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul, exp.Div)):
        left, right = of(node.this), of(node.expression)
        if left is None or right is None:
            return None
        if isinstance(node, (exp.Add, exp.Sub)):
            return left if left == right else None
        return left + right if isinstance(node, exp.Mul) else left - right
    return None


def _is_zero(node: exp.Expr) -> bool:
    number = node.this if isinstance(node, exp.Cast) else node
    return tree.is_number(number) and float(number.name) == 0


def is_exact(value: exp.Expr, varying: Collection[str], values: Settings) -> bool:
    """True if a formula is exact over the numbers of all orders, or of the best or the worst, of which some vary."""
    is_of_one = values.get("ties") != EXPECTED and len(tree.columns_read(value) & {*varying}) == 1
    return is_of_one or is_linear(value, varying)


def is_exact_over_lists(value: exp.Expr, varying: Collection[str], values: Settings) -> bool:
    """True if the formula of a system is exact over the numbers of its lists, of which some vary with the order.

    The lists are ordered independently, so a formula that is not linear has no bound in the bounds of its lists: two
    sums need not be largest in the same orders.
    """
    n_varying = len(tree.columns_read(value) & {*varying})
    return is_linear(value, varying) and (values.get("ties") == EXPECTED or n_varying <= 1)


def is_linear(value: exp.Expr, varying: Collection[str], *, through_zero: bool = False) -> bool:
    """True if an expression is linear in some columns, so that its mean is the expression over their means.

    Sums and means over rows are linear where the rows that they are over do not depend on the columns.

    `through_zero`: also 0 (or undefined) where all of these columns are 0.

    >>> from sqlglot import parse_one
    >>> [is_linear(parse_one(one), {"n_hits"}) for one in ("n_hits / n_relevant", "n_relevant / n_hits")]
    [True, False]
    """

    def is_fixed(node: exp.Expr) -> bool:
        return not any(column.name in varying for column in tree.find(node, exp.Column))

    def are_linear(*nodes: exp.Expr) -> bool:
        return all(map(of_node, nodes))

    def of_node(node: exp.Expr) -> bool:
        if is_fixed(node):
            return not through_zero or isinstance(node, exp.Null) or (tree.is_number(node) and float(node.name) == 0)
        if isinstance(node, exp.Column):
            return True
        if isinstance(node, exp.Cast) and not node.args["to"].is_type(*exp.DataType.REAL_TYPES):
            return False
        if isinstance(node, exp.Filter):
            return of_node(node.this) and is_fixed(node.expression)
        if isinstance(node, (exp.Paren, exp.Neg, exp.Cast, exp.Sum, exp.Avg)):
            return of_node(node.this)
        if isinstance(node, (exp.Add, exp.Sub)):
            return are_linear(node.this, node.expression)
        if isinstance(node, exp.Mul):
            factors = (node.this, node.expression), (node.expression, node.this)
            return any(is_fixed(factor) and of_node(other) for factor, other in factors)
        if isinstance(node, exp.Div):
            return of_node(node.this) and is_fixed(node.expression)
        if isinstance(node, exp.Case) and node.this is None:
            branches, default = node.args["ifs"], node.args.get("default")
            values = [*(branch.args["true"] for branch in branches), *([default] if default else [])]
            return all(is_fixed(branch.this) for branch in branches) and are_linear(*values)
        # what is undefined is so in every order
        return isinstance(node, exp.Coalesce) and are_linear(node.this, *node.expressions)

    return of_node(value)
