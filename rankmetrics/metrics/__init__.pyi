# Written by `make golden` from the files of sql/metrics and sql/runs.
from typing import Literal

from rankmetrics.metrics.metric import Metric

class _accuracy(Metric):
    """share of the catalogue that the list classifies correctly: relevant items among the first k, other items not among them."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

accuracy: _accuracy

class _all_relevant(Metric):
    """1 if all relevant items are among the first k recommendations, else 0. Its mean over lists is the share of complete lists."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

all_relevant: _all_relevant
recall_all: _all_relevant
full_recall: _all_relevant
chain_completeness: _all_relevant

class _alpha_dcg(Metric):
    """discounted cumulative gain over subtopics: a hit is worth less for each earlier hit of the same subtopic."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", of: Literal["perfect", "one"] = "perfect", p: float = 0.85, redundancy: float = 0.5, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

alpha_dcg: _alpha_dcg

class _alpha_ndcg(Metric):
    """alpha_dcg as a share of that of an ideal list, which puts at each rank the item that adds most to the items above."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", p: float = 0.85, redundancy: float = 0.5, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

alpha_ndcg: _alpha_ndcg

class _ap(Metric):
    """average precision: mean, over the relevant items, of the precision at the rank of each. Its mean over lists is MAP."""

    def __call__(self, *, at: Literal["hits", "places"] = "hits", cap: float = 10, divisor: Literal["capped", "relevant", "k", "list", "hits", "fixed"] = "capped", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

ap: _ap
MAP: _ap
map: _ap
average_precision: _ap

class _ap_ia(Metric):
    """intent-aware average precision: mean of the average precision over the subtopics. Its mean over lists is MAP-IA."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

ap_ia: _ap_ia
map_ia: _ap_ia

class _auc(Metric):
    """area under the ROC curve within the list: share of the pairs of a hit and a miss in which the hit ranks higher."""

    def __call__(self, *, alone: Literal["undefined", "zero", "credited"] = "undefined", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

auc: _auc
roc_auc: _auc

class _awrf(Metric):
    """attention-weighted rank fairness: distance between the shares of attention that the categories have among the first k recommendations, and the shares that they should have."""

    def __call__(self, *, attention: Literal["position", "cascade"] = "position", discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", distance: Literal["variation", "js"] = "variation", max_rating: float = 5, p: float = 0.85, rel: float | None = None, stop: Literal["binary", "graded", "rating"] = "binary", target: Literal["catalog", "equal"] = "catalog", **policies: str | float) -> Metric: ...  # type: ignore[override]

awrf: _awrf
attention_weighted_rank_fairness: _awrf

class _bias_disparity(Metric):
    """bias disparity: how much more a category is recommended than it is in the history of the same users, as a share of the latter."""

    def __call__(self, *, category: str | None = None, of: Literal["change", "recommended", "history"] = "change", **policies: str | float) -> Metric: ...  # type: ignore[override]

bias_disparity: _bias_disparity

class _binary_g(Metric):
    """binary normalized gain: mean, over the relevant items, of 1 / log2(2 + the misses above the item)."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

binary_g: _binary_g
binG: _binary_g

class _bpref(Metric):
    """binary preference: mean, over the relevant items, of the share of judged irrelevant items that do not rank above it."""

    def __call__(self, *, alone: Literal["credited", "undefined"] = "credited", judged: Literal["any", "from_zero"] = "any", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

bpref: _bpref

class _cascade_dr(Metric):
    """expected reward of a policy, doubly robust for readers who go down the list: a reward depends on the actions down to it."""

    def __call__(self, *, p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

cascade_dr: _cascade_dr

class _catalog_auc(Metric):
    """AUC over the whole catalogue, if all items that are not among the first k follow in random order."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

catalog_auc: _catalog_auc

class _categorical_diversity(Metric):
    """number of distinct categories among the first k recommendations, divided by the number of recommendations."""

    def __call__(self, *, divisor: Literal["list", "k"] = "list", **policies: str | float) -> Metric: ...  # type: ignore[override]

categorical_diversity: _categorical_diversity

class _category_diversity(Metric):
    """mean dissimilarity of all pairs among the first k recommendations, by their categories."""

    def __call__(self, *, likeness: Literal["jaccard", "cosine"] = "jaccard", **policies: str | float) -> Metric: ...  # type: ignore[override]

category_diversity: _category_diversity

class _category_entropy(Metric):
    """entropy of the category distribution of the first k recommendations, in bits."""

    def __call__(self, *, p: float = 0.85, smoothing: Literal["none", "lenskit"] = "none", weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

category_entropy: _category_entropy

class _category_recall(Metric):
    """share of all categories of items that have a hit among the first k."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

category_recall: _category_recall

class _clicks(Metric):
    """pages that a reader turns before the first hit; without a hit among the first k, one more than k items have."""

    def __call__(self, *, page_size: float = 10, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

clicks: _clicks

class _clipped_share(Metric):
    """share of the logged actions whose importance weight is made smaller, by `clip` or by another `weighting`."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", shrink: float = 100, switch: float = 10, weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

clipped_share: _clipped_share

class _compat(Metric):
    """compatibility: the greatest rank-biased overlap of the first k recommendations with the first k of any ideal list, as a share of that of the ideal list with itself."""

    def __call__(self, *, of: Literal["ideal", "identical"] = "ideal", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

compat: _compat
compatibility: _compat

class _coverage(Metric):
    """catalogue coverage: distinct items among the first k recommendations of all lists, as a share of the catalogue."""

    def __call__(self, *, counted: Literal["known", "any"] = "known", unit: Literal["share", "count", "percent", "corrected"] = "share", **policies: str | float) -> Metric: ...  # type: ignore[override]

coverage: _coverage
catalog_coverage: _coverage
item_coverage: _coverage

class _coverage_disparity(Metric):
    """VoCD: how unequally often items are recommended: mean, over all pairs of recommended items, of the relative difference of their numbers of recommendations among the first k of all lists."""

    def __call__(self, **policies: str | float) -> Metric: ...

coverage_disparity: _coverage_disparity
vocd: _coverage_disparity
violation_of_coverage_disparity: _coverage_disparity

class _dcg(Metric):
    """discounted cumulative gain: sum of gain times discount over the hits."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", p: float = 0.85, rel: float | None = None, tied: Literal["ranked", "averaged"] = "ranked", **policies: str | float) -> Metric: ...  # type: ignore[override]

dcg: _dcg

class _dcg_residual(Metric):
    """how much `dcg` could rise at most, if every item that nobody judged were relevant: those of the list, and those below its end."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", judged: Literal["any", "from_zero"] = "any", p: float = 0.85, **policies: str | float) -> Metric: ...  # type: ignore[override]

dcg_residual: _dcg_residual

class _dm(Metric):
    """expected reward of a policy by the direct method: the rewards that a model expects of its actions, at the positions of the log."""

    def __call__(self, *, p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

dm: _dm
direct_method: _dm

class _dr(Metric):
    """expected reward of a policy, doubly robust: the direct method, plus the weighted errors of its model on the logged actions."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

dr: _dr
doubly_robust: _dr

class _efd(Metric):
    """expected free discovery: novelty of the hits, by the self-information of the item; higher is more novel."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

efd: _efd

class _effective_sample_size(Metric):
    """number of impressions that would tell as much if all weights were equal: the squared sum of the weights, divided by the sum of their squares."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", shrink: float = 100, switch: float = 10, weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

effective_sample_size: _effective_sample_size
ess: _effective_sample_size

class _eleven_point_precision(Metric):
    """mean of the interpolated precision at the eleven recall levels 0, 0.1, 0.2, ..., 1."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

eleven_point_precision: _eleven_point_precision

class _embedding_diversity(Metric):
    """mean cosine distance of all pairs among the first k recommendations, by their embeddings."""

    def __call__(self, *, divisor: Literal["pairs", "items"] = "pairs", **policies: str | float) -> Metric: ...  # type: ignore[override]

embedding_diversity: _embedding_diversity

class _epc(Metric):
    """expected popularity complement: novelty of the hits, by the share of users who do not have the item in their history."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

epc: _epc

class _err(Metric):
    """expected reciprocal rank: expected 1 / rank of the hit at which a reader stops, if the reader stops at each hit with probability `stop`."""

    def __call__(self, *, decay: Literal["reciprocal", "geometric"] = "reciprocal", max_rating: float = 5, p: float = 0.85, rel: float | None = None, stop: Literal["binary", "graded", "rating"] = "binary", **policies: str | float) -> Metric: ...  # type: ignore[override]

err: _err

class _err_ia(Metric):
    """intent-aware expected reciprocal rank: for each subtopic, 1 / rank of the hit at which a reader stops, who stops at a hit with probability `redundancy`."""

    def __call__(self, *, of: Literal["perfect", "ideal", "subtopics"] = "perfect", redundancy: float = 0.5, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

err_ia: _err_ia

class _examination(Metric):
    """how often readers look at position k, as a share of how often they look at the first: the rewards of items at position k, divided by those of the same items in the first position."""

    def __call__(self, *, of: Literal["swaps", "shuffles"] = "swaps", **policies: str | float) -> Metric: ...  # type: ignore[override]

examination: _examination

class _expected_exposure_disparity(Metric):
    """EE-D: how unequal the exposure of items is that a system of random rankings gives: sum over items of the square of their exposure, mean over the truth lists."""

    def __call__(self, *, attention: Literal["position", "cascade"] = "position", discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", max_rating: float = 5, merit: Literal["all", "rating"] = "all", p: float = 0.85, rel: float | None = None, stop: Literal["binary", "graded", "rating"] = "binary", **policies: str | float) -> Metric: ...  # type: ignore[override]

expected_exposure_disparity: _expected_exposure_disparity
ee_d: _expected_exposure_disparity
expected_exposure_d: _expected_exposure_disparity

class _expected_exposure_loss(Metric):
    """EE-L: distance between the exposure that a system of random rankings gives the items, and the exposure that they should have: sum over items of the square of the difference, mean over the truth lists."""

    def __call__(self, *, attention: Literal["position", "cascade"] = "position", discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", max_rating: float = 5, merit: Literal["all", "rating"] = "all", p: float = 0.85, per: Literal["list", "item"] = "list", rel: float | None = None, stop: Literal["binary", "graded", "rating"] = "binary", **policies: str | float) -> Metric: ...  # type: ignore[override]

expected_exposure_loss: _expected_exposure_loss
ee_l: _expected_exposure_loss
expected_exposure_l: _expected_exposure_loss

class _expected_exposure_relevance(Metric):
    """EE-R: how much exposure relevant items get: sum over relevant items of their exposure times the exposure that they should have, mean over the truth lists."""

    def __call__(self, *, attention: Literal["position", "cascade"] = "position", discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", max_rating: float = 5, merit: Literal["all", "rating"] = "all", p: float = 0.85, rel: float | None = None, stop: Literal["binary", "graded", "rating"] = "binary", **policies: str | float) -> Metric: ...  # type: ignore[override]

expected_exposure_relevance: _expected_exposure_relevance
ee_r: _expected_exposure_relevance
expected_exposure_r: _expected_exposure_relevance

class _exposure_entropy(Metric):
    """entropy of the distribution of items over the first k recommendations of all lists, in bits."""

    def __call__(self, *, over: Literal["places", "lists", "items"] = "places", unit: Literal["bits", "nats", "share", "corrected"] = "bits", **policies: str | float) -> Metric: ...  # type: ignore[override]

exposure_entropy: _exposure_entropy
shannon_entropy: _exposure_entropy

class _exposure_ratio(Metric):
    """demographic parity of exposure: exposure of a mean catalogue item of the least exposed category, divided by that of the most exposed category."""

    def __call__(self, *, attention: Literal["position", "cascade"] = "position", discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", max_rating: float = 5, p: float = 0.85, rel: float | None = None, stop: Literal["binary", "graded", "rating"] = "binary", **policies: str | float) -> Metric: ...  # type: ignore[override]

exposure_ratio: _exposure_ratio
group_exposure_ratio: _exposure_ratio
exposure_parity: _exposure_ratio

class _exposure_variance(Metric):
    """AI-D: variance, over the items, of the mean exposure that a list gives an item among its first k recommendations."""

    def __call__(self, *, among: Literal["catalog", "recommended", "any"] = "catalog", p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

exposure_variance: _exposure_variance
ai_d: _exposure_variance

class _f_beta(Metric):
    """weighted harmonic mean of two metrics, by default precision P and recall R: (1 + beta^2) P R / (beta^2 P + R); 0 if both are 0."""

    def __call__(self, *, beta: float = 1, metric_0: str | Metric = "precision", metric_1: str | Metric = "recall", rel: float | None = None, weighting: Literal["squared", "plain"] = "squared", **policies: str | float) -> Metric: ...  # type: ignore[override]

f_beta: _f_beta
F1: _f_beta
DSC: _f_beta

class _f_beta_of_means(Metric):
    """weighted harmonic mean of the mean precision and the mean recall of the lists; 0 if both are 0."""

    def __call__(self, *, beta: float = 1, divisor: Literal["k", "list"] = "k", over: Literal["relevant", "all"] = "relevant", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

f_beta_of_means: _f_beta_of_means

class _fall_out(Metric):
    """share of the irrelevant candidates that are among the first k."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

fall_out: _fall_out
fallout: _fall_out
false_positive_rate: _fall_out

class _fill_rate(Metric):
    """share of the first k positions that hold a recommendation; with per=list, 1 if all k positions do, else 0."""

    def __call__(self, *, per: Literal["position", "list"] = "position", **policies: str | float) -> Metric: ...  # type: ignore[override]

fill_rate: _fill_rate

class _gauc(Metric):
    """group AUC: mean, over the relevant items, of the share of the irrelevant items of the catalogue that rank below it."""

    def __call__(self, *, divisor: Literal["relevant", "capped"] = "relevant", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

gauc: _gauc
group_auc: _gauc

class _gini(Metric):
    """Gini coefficient of the exposure of items among the first k recommendations of all lists."""

    def __call__(self, *, among: Literal["catalog", "recommended", "any"] = "catalog", form: Literal["inequality", "normalized", "equality", "corrected"] = "inequality", p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

gini: _gini

class _hit(Metric):
    """1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

hit: _hit
HR: _hit
HitRate: _hit
hit_rate: _hit
success: _hit

class _hit_residual(Metric):
    """how much `hit` could rise at most, if every item that nobody judged were relevant: 1 if no judged item is a hit, and an unjudged item may be one."""

    def __call__(self, *, judged: Literal["any", "from_zero"] = "any", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

hit_residual: _hit_residual

class _ideal_dcg(Metric):
    """discounted cumulative gain of the ideal list, which ranks the relevant items by rating."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", ideal: Literal["k", "all"] = "k", negatives: Literal["counted", "left_out"] = "counted", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

ideal_dcg: _ideal_dcg
idcg: _ideal_dcg

class _inferred_ap(Metric):
    """inferred average precision, for a truth that judges only a sample of its items: mean, over the relevant items, of the expected precision at the rank of each."""

    def __call__(self, *, judged: Literal["any", "from_zero"] = "any", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

inferred_ap: _inferred_ap
infAP: _inferred_ap

class _interpolated_precision(Metric):
    """interpolated precision at a recall level: the highest precision at the rank of a hit at which the recall is `at_recall` or more."""

    def __call__(self, *, at_recall: float = 0, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

interpolated_precision: _interpolated_precision
iprec: _interpolated_precision
IPrec: _interpolated_precision

class _ips(Metric):
    """expected reward of a policy by inverse propensity scoring: rewards of the log, each weighted by the importance of the logged actions."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

ips: _ips
inverse_propensity_scoring: _ips
ipw: _ips

class _ips_hits(Metric):
    """number of hits, each weighted by the inverse propensity of the item: all interactions, divided by the interactions with the item."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

ips_hits: _ips_hits
ips_hit_rate: _ips_hits

class _item_exposure_loss(Metric):
    """AI-F: distance of the mean exposure of items from the exposure that they should have: mean, over the items of the catalogue, of the square of the mean difference over the truth lists."""

    def __call__(self, *, attention: Literal["position", "cascade"] = "position", discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", max_rating: float = 5, merit: Literal["all", "rating"] = "all", p: float = 0.85, rel: float | None = None, stop: Literal["binary", "graded", "rating"] = "binary", **policies: str | float) -> Metric: ...  # type: ignore[override]

item_exposure_loss: _item_exposure_loss
ai_f: _item_exposure_loss

class _item_mad(Metric):
    """mean absolute difference between the categories of items: how much better the recommendations of the items of one category are than those of another."""

    def __call__(self, *, gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

item_mad: _item_mad
item_mad_ranking: _item_mad

class _jain(Metric):
    """Jain's index of the exposure of items among the first k recommendations of all lists: the share of the items that would have the same exposure, if all others had none."""

    def __call__(self, *, among: Literal["catalog", "recommended", "any"] = "catalog", form: Literal["plain", "corrected"] = "plain", p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

jain: _jain
jain_index: _jain

class _judged_share(Metric):
    """share of the first k recommendations that are in the truth of the list, as relevant or as irrelevant items: 1 - unjudged."""

    def __call__(self, **policies: str | float) -> Metric: ...

judged_share: _judged_share
Judged: _judged_share

class _least_item_promoted(Metric):
    """number of positions of the baseline between rank k and the last item that is among the first k recommendations of the list."""

    def __call__(self, **policies: str | float) -> Metric: ...

least_item_promoted: _least_item_promoted

class _lexiprecision(Metric):
    """lexicographic precision: 1 if the list reaches the first recall level at which the two differ at a higher rank than the baseline, -1 if the baseline does."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

lexiprecision: _lexiprecision

class _lexirecall(Metric):
    """lexicographic recall: 1 if the list reaches the last recall level at which the two differ at a higher rank than the baseline, -1 if the baseline does."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

lexirecall: _lexirecall

class _list_diversity(Metric):
    """mean dissimilarity (1 - similarity) of all pairs among the first k recommendations, by a table of similarities."""

    def __call__(self, **policies: str | float) -> Metric: ...

list_diversity: _list_diversity
ILD: _list_diversity
intra_list_diversity: _list_diversity

class _logged_reward(Metric):
    """reward of the policy that was logged: what the log holds, without weights. It is the same for all systems."""

    def __call__(self, *, p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

logged_reward: _logged_reward
on_policy_reward: _logged_reward

class _long_tail(Metric):
    """share of the first k recommendations that are items of the long tail."""

    def __call__(self, *, head: float = 0.8, **policies: str | float) -> Metric: ...  # type: ignore[override]

long_tail: _long_tail
APLT: _long_tail

class _mae(Metric):
    """mean absolute error of predicted ratings: the scores, compared with the ratings of the truth."""

    def __call__(self, **policies: str | float) -> Metric: ...

mae: _mae
mean_absolute_error: _mae

class _max_importance(Metric):
    """largest importance weight of a logged action."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", shrink: float = 100, switch: float = 10, weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

max_importance: _max_importance

class _mcc(Metric):
    """Matthews correlation coefficient of being among the first k and being relevant, over the items of the catalogue."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

mcc: _mcc

class _mean_importance(Metric):
    """mean importance weight of the logged actions. Its mean over the lists is near 1 if the propensities are right, and the policy takes no action that the log cannot have."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", shrink: float = 100, switch: float = 10, weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

mean_importance: _mean_importance

class _mean_recall(Metric):
    """mean of the recall at the cutoffs 1, 2, ..., k."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

mean_recall: _mean_recall
MAR: _mean_recall

class _mean_self_information(Metric):
    """mean, over the first k recommendations of all lists, of -log2 of the item's share of all interactions."""

    def __call__(self, **policies: str | float) -> Metric: ...

mean_self_information: _mean_self_information

class _miscalibration(Metric):
    """divergence between the category distribution of the first k recommendations and that of the list's history; 0 if they are equal."""

    def __call__(self, *, alpha: float = 0.01, divergence: Literal["kl", "js"] = "kl", **policies: str | float) -> Metric: ...  # type: ignore[override]

miscalibration: _miscalibration
calibration: _miscalibration

class _mse(Metric):
    """mean squared error of predicted ratings: the scores, compared with the ratings of the truth."""

    def __call__(self, **policies: str | float) -> Metric: ...

mse: _mse
mean_squared_error: _mse

class _multi_logger_ips(Metric):
    """expected reward of a policy from the logs of several old policies: ips by each of them, weighted by their precision."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

multi_logger_ips: _multi_logger_ips
multiple_importance_sampling: _multi_logger_ips

class _multi_logger_ips_error(Metric):
    """standard error of multi_logger_ips; multi_logger_ips plus and minus 1.96 of it is an interval of 95%."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

multi_logger_ips_error: _multi_logger_ips_error

class _n_hits(Metric):
    """number of relevant items among the first k recommendations."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

n_hits: _n_hits

class _n_judged_misses(Metric):
    """number of recommendations among the first k that the truth judges irrelevant; each item counts once."""

    def __call__(self, *, judged: Literal["any", "from_zero"] = "any", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

n_judged_misses: _n_judged_misses

class _n_long_tail(Metric):
    """number of distinct items of the long tail among the first k recommendations."""

    def __call__(self, *, head: float = 0.8, **policies: str | float) -> Metric: ...  # type: ignore[override]

n_long_tail: _n_long_tail
ACLT: _n_long_tail

class _n_recommended(Metric):
    """number of recommendations among the first k positions."""

    def __call__(self, **policies: str | float) -> Metric: ...

n_recommended: _n_recommended

class _n_relevant(Metric):
    """number of relevant items of the list, recommended or not."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

n_relevant: _n_relevant

class _ndcg(Metric):
    """normalized discounted cumulative gain: dcg divided by the dcg of the ideal list."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", ideal: Literal["k", "all"] = "k", negatives: Literal["counted", "left_out"] = "counted", p: float = 0.85, rel: float | None = None, share: Literal["best", "unweighted", "full"] = "best", tied: Literal["ranked", "averaged"] = "ranked", **policies: str | float) -> Metric: ...  # type: ignore[override]

ndcg: _ndcg

class _ndcg_at_levels(Metric):
    """mean of the ndcg at the last rank that each gain has in the ideal list, and at the last rank of a list longer than R + 1."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

ndcg_at_levels: _ndcg_at_levels

class _ndcg_at_relevant(Metric):
    """mean, over the relevant items, of the ndcg at the rank of each."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

ndcg_at_relevant: _ndcg_at_relevant

class _ndkl(Metric):
    """normalized discounted KL divergence: mean, over the prefixes of the first k recommendations, of the divergence between the categories of the prefix and the shares that they should have."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", p: float = 0.85, target: Literal["catalog", "equal"] = "catalog", **policies: str | float) -> Metric: ...  # type: ignore[override]

ndkl: _ndkl
normalized_discounted_kl: _ndkl

class _normalized_gain(Metric):
    """sum of the gains of the hits, each discounted by how far the list is behind the ideal list, divided by the gains of all relevant items."""

    def __call__(self, *, gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

normalized_gain: _normalized_gain

class _nrbp(Metric):
    """novelty- and rank-biased precision: rank-biased precision over subtopics, where a hit is worth less for each earlier hit of the same subtopic."""

    def __call__(self, *, of: Literal["perfect", "ideal"] = "perfect", p: float = 0.85, redundancy: float = 0.5, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

nrbp: _nrbp

class _overlap(Metric):
    """share of the first k recommendations that are also among the first items of the baseline: 1 - unexpectedness."""

    def __call__(self, *, alone: Literal["undefined", "zero"] = "undefined", baseline_k: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

overlap: _overlap

class _partial_auc(Metric):
    """share of the pairs of a relevant item and one of the first k irrelevant recommendations in which the relevant item ranks higher."""

    def __call__(self, *, insufficient: Literal["counted", "undefined"] = "counted", positives: Literal["all", "first"] = "all", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

partial_auc: _partial_auc
pAUC: _partial_auc

class _percentile_rank(Metric):
    """mean percentile rank (MPR) of the relevant items of all lists: 0 if all rank first, 50 if they rank at random."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

percentile_rank: _percentile_rank
mpr: _percentile_rank
mean_percentile_rank: _percentile_rank

class _personalization(Metric):
    """1 - mean cosine similarity of all pairs of lists, by the items of their first k recommendations."""

    def __call__(self, *, lengths: Literal["any", "equal"] = "any", **policies: str | float) -> Metric: ...  # type: ignore[override]

personalization: _personalization

class _pooled_auc(Metric):
    """AUC over the hits of all lists: mean, over the hits, of the share of the irrelevant items of the catalogue that rank below the hit."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

pooled_auc: _pooled_auc

class _pooled_precision(Metric):
    """precision over all lists together: hits of all lists, divided by their positions."""

    def __call__(self, *, divisor: Literal["k", "list", "relevant"] = "k", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

pooled_precision: _pooled_precision
micro_precision: _pooled_precision

class _pop_reo(Metric):
    """ranking-based equal opportunity of popularity: how much the recall of relevant items differs between the long tail and the head."""

    def __call__(self, *, head: float = 0.8, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

pop_reo: _pop_reo

class _pop_rsp(Metric):
    """ranking-based statistical parity of popularity: how much the share of items that are recommended differs between the long tail and the head."""

    def __call__(self, *, head: float = 0.8, **policies: str | float) -> Metric: ...  # type: ignore[override]

pop_rsp: _pop_rsp

class _popularity(Metric):
    """mean popularity of the first k recommendations: the number of users who have the item in their history."""

    def __call__(self, *, divisor: Literal["list", "known"] = "list", unit: Literal["count", "share"] = "count", **policies: str | float) -> Metric: ...  # type: ignore[override]

popularity: _popularity
ARP: _popularity
average_popularity: _popularity

class _popularity_rank(Metric):
    """mean popularity quantile of the first k recommendations: 0 for an item without a popularity, 1 for the most popular item."""

    def __call__(self, **policies: str | float) -> Metric: ...

popularity_rank: _popularity_rank
mean_pop_rank: _popularity_rank

class _popularity_serendipity(Metric):
    """mean over the first k recommendations of how much higher a relevant item ranks in the list than by popularity."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

popularity_serendipity: _popularity_serendipity

class _precision(Metric):
    """share of the first k positions that hold a relevant item."""

    def __call__(self, *, divisor: Literal["k", "list", "relevant", "achievable"] = "k", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

precision: _precision
P: _precision

class _precision_ia(Metric):
    """intent-aware precision: mean, over the subtopics, of the share of the first k positions that hold an item relevant to it."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

precision_ia: _precision_ia
p_ia: _precision_ia

class _precision_residual(Metric):
    """how much `precision` could rise at most, if every item that nobody judged were relevant: those of the list, and those below its end."""

    def __call__(self, *, judged: Literal["any", "from_zero"] = "any", **policies: str | float) -> Metric: ...  # type: ignore[override]

precision_residual: _precision_residual

class _profile_distance(Metric):
    """mean dissimilarity (1 - similarity) of the first k recommendations and the items of the history of the list, by a table of similarities."""

    def __call__(self, **policies: str | float) -> Metric: ...

profile_distance: _profile_distance

class _r_precision(Metric):
    """precision at rank R, where R is the number of relevant items of the list; at rank k, if k is less than R."""

    def __call__(self, *, divisor: Literal["capped", "relevant"] = "capped", hitless: Literal["zero", "undefined"] = "zero", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

r_precision: _r_precision
Rprec: _r_precision
rprec: _r_precision

class _r_precision_multiple(Metric):
    """precision at rank `multiple` times R, where R is the number of relevant items of the list; at rank k, if k is less."""

    def __call__(self, *, multiple: float = 1, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

r_precision_multiple: _r_precision_multiple

class _rbo(Metric):
    """rank-biased overlap of the first k recommendations with the first k of the baseline: mean of the overlap at each depth d, weighted by p^(d - 1)."""

    def __call__(self, *, beyond: Literal["scaled", "extrapolated"] = "scaled", p: float = 0.85, tied: Literal["ranked", "equal", "averaged", "corrected"] = "ranked", **policies: str | float) -> Metric: ...  # type: ignore[override]

rbo: _rbo
rank_biased_overlap: _rbo

class _rbp(Metric):
    """rank-biased precision: sum of gain times p^(rank - 1) over the hits, divided by its highest possible value."""

    def __call__(self, *, gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", of: Literal["endless", "best"] = "endless", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

rbp: _rbp

class _rbp_residual(Metric):
    """how much `rbp` could rise at most, if every item that nobody judged were relevant: those of the list, and those below its end."""

    def __call__(self, *, judged: Literal["any", "from_zero"] = "any", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

rbp_residual: _rbp_residual

class _recall(Metric):
    """share of the relevant items that are among the first k."""

    def __call__(self, *, divisor: Literal["relevant", "capped"] = "relevant", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

recall: _recall
R: _recall

class _reo(Metric):
    """ranking-based equal opportunity: how much the recall of relevant items differs between the categories."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

reo: _reo
equal_opportunity: _reo

class _replay(Metric):
    """mean reward of the logged actions that the policy takes, too, each weighted by the probability that it takes them."""

    def __call__(self, *, p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

replay: _replay

class _replay_error(Metric):
    """standard error of replay by the delta method, each list a cluster; replay plus and minus 1.96 of it is an interval of 95%."""

    def __call__(self, *, p: float = 0.85, weight: Literal["uniform", "geometric", "log2"] = "uniform", **policies: str | float) -> Metric: ...  # type: ignore[override]

replay_error: _replay_error

class _rmse(Metric):
    """square root of the mean squared error of predicted ratings."""

    def __call__(self, **policies: str | float) -> Metric: ...

rmse: _rmse
root_mean_squared_error: _rmse

class _rpp(Metric):
    """recall-paired preference: share of the recall levels that the list reaches at a higher rank than the baseline, less the share that the baseline does."""

    def __call__(self, *, level_weight: Literal["uniform", "log2", "reciprocal"] = "uniform", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

rpp: _rpp
recall_paired_preference: _rpp

class _rr(Metric):
    """reciprocal rank: 1 / rank of the first hit; 0 if there is no hit among the first k. Its mean over lists is MRR."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

rr: _rr
MRR: _rr
mrr: _rr
reciprocal_rank: _rr
recip_rank: _rr

class _rsp(Metric):
    """ranking-based statistical parity: how much the share of items that are recommended differs between the categories."""

    def __call__(self, **policies: str | float) -> Metric: ...

rsp: _rsp
statistical_parity: _rsp

class _satisfied_items(Metric):
    """share of the items of the catalogue that have their fair share of the first k recommendations of all lists: as many as if all items had the same number, rounded down."""

    def __call__(self, *, form: Literal["share", "corrected"] = "share", **policies: str | float) -> Metric: ...  # type: ignore[override]

satisfied_items: _satisfied_items
fsat: _satisfied_items
fraction_of_satisfied_items: _satisfied_items

class _serendipity(Metric):
    """share of the first k recommendations that are relevant and not among the first k of the baseline."""

    def __call__(self, *, divisor: Literal["list", "k"] = "list", rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

serendipity: _serendipity

class _set_ap(Metric):
    """average precision of the recommendations as a set without an order: precision times recall."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

set_ap: _set_ap
set_map: _set_ap
SetAP: _set_ap

class _share_of_best(Metric):
    """sum of a metric over the lists, divided by the sum of the highest values that it can have."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", gain: Literal["binary", "linear", "positive", "exponential", "excess"] = "binary", ideal: Literal["k", "all"] = "k", negatives: Literal["counted", "left_out"] = "counted", of: Literal["precision", "recall", "pooled_recall", "dcg", "ndcg"] = "precision", p: float = 0.85, rel: float | None = None, tied: Literal["ranked", "averaged"] = "ranked", **policies: str | float) -> Metric: ...  # type: ignore[override]

share_of_best: _share_of_best

class _sndr(Metric):
    """expected reward of a policy, doubly robust and self-normalized: dm, plus the errors of the model divided by the mean importance weight."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

sndr: _sndr

class _sndr_error(Metric):
    """standard error of sndr by the delta method, each list a cluster; sndr plus and minus 1.96 of it is an interval of 95%."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

sndr_error: _sndr_error

class _snips(Metric):
    """expected reward of a policy by self-normalized inverse propensity scoring: ips, divided by the mean importance weight."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

snips: _snips
self_normalized_ips: _snips
snipw: _snips

class _snips_error(Metric):
    """standard error of snips by the delta method, each list a cluster; snips plus and minus 1.96 of it is an interval of 95%."""

    def __call__(self, *, clip: float | None = None, interaction: Literal["position", "cascade", "slate", "additive"] = "position", p: float = 0.85, shrink: float = 100, switch: float = 10, weight: Literal["uniform", "geometric", "log2"] = "uniform", weighting: Literal["clipped", "shrunk", "switched"] = "clipped", **policies: str | float) -> Metric: ...  # type: ignore[override]

snips_error: _snips_error

class _subtopic_recall(Metric):
    """share of the subtopics that have a hit among the first k."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

subtopic_recall: _subtopic_recall
strec: _subtopic_recall
StRecall: _subtopic_recall
s_recall: _subtopic_recall

class _surprisal(Metric):
    """mean self-information of the first k recommendations: the fewer users have the item in their history, the higher."""

    def __call__(self, *, divisor: Literal["list", "k", "known"] = "list", surprise: Literal["normalized", "bits", "capped_bits"] = "normalized", **policies: str | float) -> Metric: ...  # type: ignore[override]

surprisal: _surprisal
self_information: _surprisal

class _unexpectedness(Metric):
    """share of the first k recommendations that are not among the first k of the baseline."""

    def __call__(self, *, alone: Literal["undefined", "zero"] = "undefined", divisor: Literal["list", "k"] = "list", **policies: str | float) -> Metric: ...  # type: ignore[override]

unexpectedness: _unexpectedness

class _unjudged(Metric):
    """share of the first k recommendations that are not in the truth of the list, neither as relevant nor as irrelevant."""

    def __call__(self, **policies: str | float) -> Metric: ...

unjudged: _unjudged

class _unrepeated(Metric):
    """share of the first k recommendations that do not repeat an item above them; with per=list, 1 if no item repeats, else 0."""

    def __call__(self, *, per: Literal["item", "list"] = "item", **policies: str | float) -> Metric: ...  # type: ignore[override]

unrepeated: _unrepeated

class _unseen(Metric):
    """share of the first k recommendations that are not in the history of the list."""

    def __call__(self, *, alone: Literal["undefined", "one"] = "undefined", divisor: Literal["list", "k"] = "list", **policies: str | float) -> Metric: ...  # type: ignore[override]

unseen: _unseen

class _user_coverage(Metric):
    """share of the lists that have at least one recommendation among the first k positions; with least=k, all k."""

    def __call__(self, *, least: Literal["one", "k"] = "one", unit: Literal["share", "count"] = "share", **policies: str | float) -> Metric: ...  # type: ignore[override]

user_coverage: _user_coverage

class _utility(Metric):
    """linear utility: `per_hit` for each hit, `per_miss` for each other recommendation, `per_unfound` for each relevant item that is not recommended."""

    def __call__(self, *, per_hit: float = 1, per_miss: float = -1, per_unfound: float = 0, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

utility: _utility

class _weighted_auc(Metric):
    """mean AUC of the lists, weighted by their numbers of relevant items."""

    def __call__(self, *, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

weighted_auc: _weighted_auc

class _weighted_precision(Metric):
    """precision with weighted ranks: sum of the discounts of the hits, divided by the discounts of the first k recommendations."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

weighted_precision: _weighted_precision

class _weighted_recall(Metric):
    """recall with weighted ranks: sum of the discounts of the hits, divided by the number of relevant items."""

    def __call__(self, *, discount: Literal["log2", "lenskit", "late", "geometric", "reciprocal", "uniform"] = "log2", p: float = 0.85, rel: float | None = None, **policies: str | float) -> Metric: ...  # type: ignore[override]

weighted_recall: _weighted_recall
