-- sampled_recommendations: one row per recommendation of a sampled list, with its position and the length of the list.
SELECT
  recs.list_id, recs.item, recs.score,
  ROW_NUMBER() OVER (PARTITION BY recs.list_id ORDER BY recs.rank NULLS LAST, recs.score DESC NULLS LAST, recs.item) AS position,
  COUNT(*) OVER (PARTITION BY recs.list_id) AS length
FROM recs
JOIN sampled_lists ON recs.truth_id = sampled_lists.truth_id
WHERE recs.list_id IS NOT NULL AND recs.item IS NOT NULL
