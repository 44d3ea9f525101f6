-- judged_patience: sum of p^(rank - 1) over the recommended items that are judged, relevant or not; each item counts once.
--
-- range: [0, inf)
SELECT COALESCE(SUM(CASE WHEN $judged THEN POWER($p, rank - 1) ELSE CAST(0 AS DOUBLE) END), 0) AS judged_patience
FROM judged_recommended_items
WHERE rank <= $k
