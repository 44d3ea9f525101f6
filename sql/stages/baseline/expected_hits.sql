-- expected_hits: the hits that the baseline has, too, each at the rank by which both have it.
SELECT hits.list_id, GREATEST(hits.rank, baseline_places.rank) AS rank
FROM hits
JOIN baseline_places ON hits.baseline_id = baseline_places.baseline_id AND hits.item = baseline_places.item
