-- list_negative_counts: one row per list that the truth has, with the number of its candidates, and how many of them it ranks.
--
-- n_negatives: its negatives. n_negatives_ranked: the negatives that it ranks.
-- n_judged: the items of its truth. n_judged_ranked: the items of its truth that it ranks.
SELECT
  recommended_lists.list_id,
  COALESCE(negative_counts.n_negatives, 0) AS n_negatives,
  COALESCE(ranked_negative_counts.n_ranked, 0) AS n_negatives_ranked,
  relevant_counts.n_items AS n_judged,
  COALESCE(ranked_judgment_counts.n_ranked, 0) AS n_judged_ranked
FROM recommended_lists
JOIN relevant_counts ON recommended_lists.truth_id = relevant_counts.truth_id
LEFT JOIN negative_counts ON recommended_lists.truth_id = negative_counts.truth_id
LEFT JOIN ranked_negative_counts ON recommended_lists.list_id = ranked_negative_counts.list_id
LEFT JOIN ranked_judgment_counts ON recommended_lists.list_id = ranked_judgment_counts.list_id
