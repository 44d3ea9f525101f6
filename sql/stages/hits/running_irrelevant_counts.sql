-- running_irrelevant_counts: one row per list and recommended item that is in its truth, with a running count of judged irrelevant items.
--
-- is_relevant: 1 if the item is relevant.
-- n_irrelevant_so_far: the judged irrelevant items of the list from rank 1 to this rank.
SELECT
  list_id, rank,
  CASE WHEN $relevance THEN 1 ELSE 0 END AS is_relevant,
  SUM(CASE WHEN NOT ($relevance) AND $judged THEN 1 ELSE 0 END) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_irrelevant_so_far
FROM judged_recommended_items
