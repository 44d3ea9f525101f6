-- overlap: the items that a list and the baseline have in common, each at the rank by which both have it.
SELECT
  recommended.list_id, recommended.item,
  GREATEST(MIN(recommended.rank), MIN(baseline_places.rank)) AS rank
FROM recommended
JOIN baseline_places ON recommended.baseline_id = baseline_places.baseline_id AND recommended.item = baseline_places.item
GROUP BY recommended.list_id, recommended.item
