-- expected: the places of a list whose item the baseline has, too, each at the rank by which both have it.
SELECT recommended.list_id, GREATEST(recommended.rank, baseline_places.rank) AS rank
FROM recommended
JOIN baseline_places ON recommended.baseline_id = baseline_places.baseline_id AND recommended.item = baseline_places.item
