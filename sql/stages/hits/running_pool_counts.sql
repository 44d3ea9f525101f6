-- running_pool_counts: one row per list and recommended item that is in its truth, with running counts of such items.
--
-- is_relevant: 1 if the item is relevant.
-- n_pool_so_far: the items of the truth from rank 1 to this rank. n_relevant_so_far: the relevant items among them.
-- n_irrelevant_so_far: the judged irrelevant items among them.
SELECT
  list_id, rank,
  CASE WHEN $relevance THEN 1 ELSE 0 END AS is_relevant,
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY rank NULLS FIRST) AS n_pool_so_far,
  SUM(CASE WHEN $relevance THEN 1 ELSE 0 END) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_relevant_so_far,
  SUM(CASE WHEN NOT ($relevance) AND $judged THEN 1 ELSE 0 END) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_irrelevant_so_far
FROM judged_recommended_items
