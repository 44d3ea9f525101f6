-- judged_order: what was judged, down the list, with how many judged irrelevant items stand at or above each.
SELECT
  list_id, rank,
  CASE WHEN $relevance THEN 1 ELSE 0 END AS is_relevant,
  SUM(CASE WHEN NOT ($relevance) AND $judged THEN 1 ELSE 0 END) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_irrelevant
FROM judged_found
