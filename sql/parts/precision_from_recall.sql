-- precision_from_recall: highest precision at the rank of a hit, over the hits from the recall level `at_recall` on; 0 without such hits.
--
-- range: [0, 1]
SELECT COALESCE(MAX(CASE WHEN hit_number >= FLOOR(CAST($at_recall AS DOUBLE) * n_relevant + CAST(0.9 AS DOUBLE)) THEN CAST(hit_number AS DOUBLE) / rank END), 0) AS precision_from_recall
FROM hits_with_relevant_count
WHERE rank <= $k
