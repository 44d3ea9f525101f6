-- n_hits_within_multiple: number of hits down to rank `multiple` times R, where R is the number of relevant items.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN rank <= FLOOR(CAST($multiple AS DOUBLE) * n_relevant + CAST(0.9 AS DOUBLE)) THEN 1 END) AS n_hits_within_multiple
FROM hits_with_relevant_count
WHERE rank <= $k
