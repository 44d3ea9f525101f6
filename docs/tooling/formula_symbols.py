"""The symbols of the formulas in sql/metrics and sql/runs: each has one meaning on every page of docs/metrics.

A formula is written so that GitHub and the site render it alike: no backslash before a character that is not a letter,
and no `<`, `>` or `&`, which Markdown reads first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Each symbol as LaTeX, and its meaning. An index i stands for j as well.
SYMBOLS: dict[str, str] = {
    r"\mathrm{auc}": "the metric [`auc`](auc.md); a list for which it is undefined is left out of both sums",
    r"\mathrm{hit}_i": "1 if rank $i$ holds a relevant item, else 0; a repeated item is a hit only once",
    r"\mathrm{judged}_i": "1 if the item at rank $i$ is judged, relevant or not, else 0; a repeated item counts once",
    r"\mathrm{ndcg}": "the metric [`ndcg`](ndcg.md); the index is the cutoff",
    r"\mathrm{precision}": "the metric [`precision`](precision.md)",
    r"\mathrm{recall}": "the metric [`recall`](recall.md)",
    r"\mathrm{sim}_{ix}": "the similarity of the item at rank $i$ and item $x$",
    r"\mathrm{sim}_{ij}": "the similarity of the items at ranks $i$ and $j$",
    r"\alpha": "the parameter `alpha`; of metrics of subtopics, the parameter `redundancy`",
    r"\beta": "the parameter `beta`",
    r"\mu": "the parameter `multiple`",
    r"\rho": "a recall level, as a share of the relevant items; of `interpolated_precision`, the parameter `at_recall`",
    r"a_{\mathrm{head}}": (
        "the share of the head's items that are recommended, over all lists, without items in the history of a list"
    ),
    r"a_{\mathrm{tail}}": "the same share of the long tail's items",
    r"a_i": "the number of judged irrelevant items above rank $i$",
    r"a_c": (
        "the share of category $c$ in the attention of the list: the discounts of the ranks of its items, divided by "
        "those of all categories; an item with several categories counts in equal parts in each"
    ),
    r"\bar{e}_c": (
        "the exposure of a mean catalogue item of category $c$: the sum, over all lists, of the discounts of the ranks "
        "of its items, divided by its number of catalogue items; an item with several categories counts in equal parts "
        "in each"
    ),
    r"\Gamma": "the categories that are compared",
    r"\bar{r}": "the mean of $r_c$ over these categories",
    r"r_c": "the share of the relevant items of category $c$ that are hits, over all lists",
    r"\bar{g}_c": (
        "the mean over the recommended items of category $c$ of the mean gain of their recommendations in all lists, "
        "which is 0 where the item is irrelevant"
    ),
    r"\bar{g}_{c'}": "the same mean of category $c'$",
    r"\hat{q}_c": (
        "the share of category $c$ in the recommendations of all lists; an item counts in equal parts in each of its "
        "categories"
    ),
    r"\hat{h}_c": "the same share in the histories of all lists",
    r"\bar{a}": "the mean of $\\tilde{a}_c$ over these categories",
    r"\tilde{a}_c": (
        "the share of the catalogue items of category $c$ that are recommended, over all lists, without items in the "
        "history of a list"
    ),
    r"\alpha_{\eta}": "the rank of hit number $\\eta$ among the first $k$; infinite if there are fewer hits",
    r"\beta_{\eta}": "the same of the baseline: the rank of number $\\eta$ of the relevant items among its first $k$",
    r"B_i": "the items among the first $i$ ranks of the baseline",
    r"I_i": "the items among the first $i$ ranks of the ideal list",
    r"B_k": "the items among the first $k$ ranks of the baseline",
    r"b_i": "the rank of the item at rank $i$ in the baseline; 0 if the baseline lacks the item",
    r"C": "the catalogue: the items that could be recommended",
    r"c_i": "the categories of the item at rank $i$",
    r"c": "a category",
    r"d_i": "the discount of rank $i$: the parameter `discount`, by default $1 / \\log_2(i + 1)$",
    r"E": (
        "the last rank of each gain in the ideal list; $n$ too, if it is greater than $|R| + 1$. Below rank $k$, the "
        "list keeps its dcg"
    ),
    r"X": "the recommended items: those among the first $k$ recommendations of any list",
    r"e_x": "the number of recommendations of item $x$ among the first $k$ of all lists",
    r"e_y": "the same of item $y$",
    r"e_{(r)}": "the exposure of the item at position $r$: the number, or weight, of its recommendations in all lists",
    r"f_x": "the number of recommendations of item $x$ in all lists, as a share of all recommendations",
    r"g^{\ast}_i": "the gain of rank $i$ in the ideal list, which ranks the relevant items by rating",
    r"g_i": "the gain of rank $i$: the parameter `gain`, by default 1 for a hit; 0 without a hit",
    r"H": "the items in the history of the list",
    r"h_c": "the share of category $c$ in the history of the list, counted as for $w_c$",
    r"h_i": "the number of hits among the first $i$ ranks",
    r"i": "a rank, from 1",
    r"J": "the judged items of the list: the items that the truth has, relevant or not",
    r"j": "a rank, from 1",
    r"k": "the cutoff; without a cutoff, the last rank of the list",
    r"L_k^{(s)}": "the items among the first $k$ recommendations of list $s$",
    r"L_i": "the items among the first $i$ recommendations",
    r"L_k": "the items among the first $k$ recommendations",
    r"l_i": "the number of items above rank $i$ that the truth has, whether or not somebody judged them",
    r"M": "the candidates that the list was ranked from; without a `pool` column, they are the items of the list",
    r"m": "the number of lists that have recommendations",
    r"N": "the judged irrelevant items of the list",
    r"n_c": "the number of the first $k$ recommendations whose item has a category",
    r"n_v": "the number of the first $k$ recommendations whose item has an embedding",
    r"n": "the number of recommendations among the first $k$ ranks",
    r"o_i": (
        "the popularity rank of the item at rank $i$: 1 for the highest popularity, 2 for the next; $|C| + 1$ "
        "without a popularity"
    ),
    r"P": "the pairs of a list and an item among its first $k$ that have both a score and a rating",
    r"p": "the parameter `p`",
    r"Q": "the scored truth lists with relevant items",
    r"q": "a truth list, with all lists of a row of the summary that are compared with it: its draws",
    r"\epsilon_{qx}": (
        "the exposure of item $x$: the mean, over the draws of $q$, of the attention of the rank of $x$, by default "
        "its discount; 0 for a draw without $x$ among the first $k$"
    ),
    r"\epsilon^{\ast}_{qx}": (
        "the exposure that item $x$ should have: the mean attention of the ranks, in the ideal list, of the relevant "
        "items of the same merit, by default all of them, where ranks below $k$ have none; "
        "0 for an item that is not relevant"
    ),
    r"R_q": "the relevant items of truth list $q$",
    r"q_{c,i}": (
        "the share of category $c$ among the first $i$ recommendations; an item with several categories counts in "
        "equal parts in each"
    ),
    r"q_c": "the share of category $c$ among the first $k$ recommendations; an item counts in each of its categories",
    r"R": "the relevant items of the list",
    r"r_{\mathrm{head}}": "the share of the relevant items in the head that are hits, over all lists",
    r"r_{\mathrm{tail}}": "the share of the relevant items in the long tail that are hits, over all lists",
    r"r": "the position of an item among all items, from the lowest exposure up",
    r"S": "the lists that the means are taken over",
    r"s_i": "the probability that a reader stops at rank $i$: the parameter `stop`, by default 0.5 at a hit; else 0",
    r"s": "a list",
    r"T": "the items of the long tail",
    r"t_c": "the share that category $c$ should have: the parameter `target`, by default its share of the catalogue",
    r"t": "a list",
    r"U": "the users who have a history",
    r"u_i": "the popularity of the item at rank $i$: the number of users who have it in their history",
    r"u_x": "the popularity of item $x$: the number of users who have it in their history",
    r"v_i": "the embedding of the item at rank $i$",
    r"w_{\mathrm{hit}}": "the parameter `per_hit`",
    r"w_{\mathrm{miss}}": "the parameter `per_miss`",
    r"w_{\mathrm{unfound}}": "the parameter `per_unfound`",
    r"w_c": (
        "the share of category $c$ among the first $k$ recommendations; an item with several categories counts in "
        "equal parts in each"
    ),
    r"\hat{y}_{sx}": "the score of item $x$ in list $s$",
    r"y_{sx}": "the rating of item $x$ in the truth of list $s$",
    r"y_i": "what a hit at rank $i$ is worth: the parameter `decay`, by default $1 / i$",
    r"\hat{q}_i": "the reward that a model expects of an action at rank $i$: the column `expected_reward`",
    r"\eta": "a recall level: a number of relevant items, from 1",
    r"\mathrm{sign}": "1 of a number above 0, -1 of a number below 0, and 0 of 0",
    r"\nu_{\eta}": "the weight of recall level $\\eta$: the parameter `level_weight`, by default 1",
    r"\lambda_i": "the weight of rank $i$: the parameter `weight`, by default 1",
    r"\omega_{v,i-1}": "the importance weights of impression $v$ at ranks 1 to $i - 1$, multiplied; 1 at rank 1",
    r"\omega_{v,i}": "the importance weights of impression $v$ at ranks 1 to $i$, multiplied",
    r"\omega_{vi}": (
        "the importance weight of the action at rank $i$ of impression $v$: its probability under the policy, divided "
        "by its propensity; of the actions that the parameter `interaction` names, made smaller as the parameter "
        "`weighting` says"
    ),
    r"\pi_i": "the probability that the policy takes an action at rank $i$",
    r"a_{vi}": "the action of the log at rank $i$ of impression $v$: the item that was shown there",
    r"V": "the number of impressions of the list in the log",
    r"v": "an impression of the list in the log",
    r"\bar{y}_{sx}(k)": "the mean reward of item $x$ at position $k$, of the impressions of list $s$",
    r"\bar{y}_{sx}(1)": "the mean reward of item $x$ in the first position, of the impressions of list $s$",
    r"y_{vi}": "the reward of the log at rank $i$ of impression $v$",
    r"\mathrm{replay}": "the metric [`replay`](replay.md)",
    r"\overline{\mathrm{dm}}": "the mean of the metric [`dm`](dm.md) over the lists",
    r"\delta": "the sum of dr - dm over the lists, divided by the sum of their mean importance",
    r"e_s": (
        "the sum, over the actions of list $s$ in the log, of the reward times the probability of the action under the "
        "policy and the weight of its rank"
    ),
    r"m_s": "the sum, over the actions of list $s$ in the log, of their probabilities under the policy",
    r"\Lambda": "the loggers: the old policies",
    r"\ell": "a logger",
    r"S_{\ell}": "the lists that logger $\\ell$ showed something to",
    r"\sigma_{\ell}": (
        "the standard deviation, over these lists and divided by their number, of ips from the impressions of logger "
        "$\\ell$"
    ),
    r"\mathrm{ips}_{\ell}": (
        "the mean, over these lists, of the metric [`ips`](ips.md) from the impressions of logger $\\ell$"
    ),
    r"\mathrm{snips}": "the metric [`snips`](snips.md)",
    r"\mathrm{ips}": "the metric [`ips`](ips.md)",
    r"\mathrm{dm}": "the metric [`dm`](dm.md)",
    r"\mathrm{dr}": "the metric [`dr`](dr.md)",
    r"\omega^{\ast}_{vi}": "the importance weight before `clip` and `weighting`",
    r"\bar{\omega}": "the metric [`mean_importance`](mean_importance.md)",
    r"x": "an item",
    r"y": "a second item",
    r"Z": "the subtopics of the list that have relevant items",
    r"Z_i": "the subtopics that the item at rank $i$ is relevant to; none if the list has the item above",
    r"Z^{\ast}_i": "the subtopics that the item at rank $i$ of the ideal list is relevant to",
    r"m^{\ast}_{zi}": "the number of items above rank $i$ of the ideal list that are relevant to subtopic $z$",
    r"z": "a subtopic",
    r"R_z": "the items of the list that are relevant to subtopic $z$",
    r"m_{zi}": "the number of hits above rank $i$ that are relevant to subtopic $z$",
    r"z_i": "the popularity quantile of the item at rank $i$: 1 for the most popular item, 0 without a popularity",
}

# What Markdown reads before the formula is rendered.
UNSAFE = re.compile(r"\\[^A-Za-z]|[<>&$]")


def _pattern(symbol: str) -> re.Pattern[str]:
    """The regular expression of a symbol, with j for i, and not as the beginning of a longer symbol."""
    text = re.escape(symbol)
    if symbol.endswith("_i"):
        text = text.removesuffix("i") + "[ij]"
    if symbol == r"L_k^{(s)}":
        text = text.replace("s", "[st]")
    return re.compile(text + ("(?![A-Za-z])" if symbol.startswith("\\") else ""))


PATTERNS = {symbol: _pattern(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True)}
INLINE = re.compile(r"\$([^$]+)\$")  # a formula within a meaning
WORD = re.compile(r"\\mathrm\{[^}]*\}")
COMMAND = re.compile(r"\\[A-Za-z]+")


def _read(formula: str) -> Iterator[tuple[str, bool]]:
    """The symbols of a formula in order, each with whether it is known; LaTeX's commands are left out."""
    at = 0
    while at < len(formula):
        known = next(((symbol, found) for symbol, one in PATTERNS.items() if (found := one.match(formula, at))), None)
        if known:
            yield known[0], True
            at = known[1].end()
        elif word := WORD.match(formula, at):
            yield word[0], False
            at = word.end()
        elif command := COMMAND.match(formula, at):
            at = command.end()
        else:
            if formula[at].isalpha():
                yield formula[at], False
            at += 1


def symbols_of(formula: str) -> dict[str, str]:
    """The symbols of a formula with their meanings, in the order in which they are read; then those of the meanings."""
    found: dict[str, str] = {}
    waiting = [formula]
    for text in waiting:  # which grows
        for symbol, is_known in _read(text):
            if is_known and symbol not in found:
                found[symbol] = SYMBOLS[symbol]
                waiting += INLINE.findall(SYMBOLS[symbol])
    return found


def unknown_symbols(formula: str) -> list[str]:
    """The letters and the words of a formula that no symbol explains."""
    return [symbol for symbol, is_known in _read(formula) if not is_known]
