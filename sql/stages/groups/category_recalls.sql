-- category_recalls: one row per system and category with relevant items, with the share of these items that are hits.
SELECT
  category_relevant_totals.by_id,
  COALESCE(category_hit_totals.n_hits, 0) / CAST(category_relevant_totals.n_relevant AS DOUBLE) AS recall
FROM category_relevant_totals
LEFT JOIN category_hit_totals
  ON category_relevant_totals.by_id = category_hit_totals.by_id
  AND category_relevant_totals.category = category_hit_totals.category
