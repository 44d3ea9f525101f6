-- serendipity: share of the first k recommendations that are relevant and not among the first k of the baseline.
--
-- formula: \frac{|(L_k \cap R) \setminus B_k|}{n}
-- subject: novelty
-- undefined: the list has no baseline, or the divisor is 0 (for example the length of an empty list).
-- range: [0, 1]
-- source: Ge, Delgado-Battenfeld, Jannach (2010), Beyond accuracy: evaluating recommender systems by coverage and serendipity. doi:10.1145/1864708.1864761
SELECT CASE WHEN n_baseline > 0 THEN (n_hits - n_hits_in_baseline) / CAST(NULLIF($divisor, 0) AS DOUBLE) END AS serendipity
FROM metrics
