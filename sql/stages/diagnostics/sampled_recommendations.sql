-- sampled_recommendations: one row per recommendation of a sampled list, with its position, the length of the list and its relevance.
--
-- is_hit: 1 if the item is relevant. n_relevant: the number of relevant items of the list.
SELECT
  recs.list_id, recs.item, recs.score,
  ROW_NUMBER() OVER (PARTITION BY recs.list_id ORDER BY recs.rank NULLS LAST, recs.score DESC NULLS LAST, recs.item) AS position,
  COUNT(*) OVER (PARTITION BY recs.list_id) AS length,
  CASE WHEN sampled_relevant.item IS NULL THEN 0 ELSE 1 END AS is_hit,
  sampled_lists.n_relevant
FROM recs
JOIN sampled_lists ON recs.truth_id = sampled_lists.truth_id
LEFT JOIN sampled_relevant ON recs.truth_id = sampled_relevant.truth_id AND recs.item = sampled_relevant.item
WHERE recs.list_id IS NOT NULL AND recs.item IS NOT NULL
