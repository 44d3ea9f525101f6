-- baseline_places: the items of the baseline down to the deepest cutoff, each once, at its best rank.
SELECT baseline_id, item, MIN(rank) AS rank
FROM baseline_ranked
WHERE rank <= $deepest
GROUP BY baseline_id, item
