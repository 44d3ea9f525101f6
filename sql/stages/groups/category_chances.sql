-- category_chances: one row per system and category with candidates, with the share of these candidates that are recommended.
SELECT
  category_candidate_totals.by_id,
  COALESCE(category_recommendation_totals.n_recommended, 0) / CAST(category_candidate_totals.n_candidates AS DOUBLE) AS chance
FROM category_candidate_totals
LEFT JOIN category_recommendation_totals
  ON category_candidate_totals.by_id = category_recommendation_totals.by_id
  AND category_candidate_totals.category = category_recommendation_totals.category
WHERE category_candidate_totals.n_candidates > 0
