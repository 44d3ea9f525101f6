-- baseline_firsts: the items of the baseline, each once, at its best rank.
SELECT baseline_id, item, MIN(rank) AS rank
FROM baseline_ranked
GROUP BY baseline_id, item
