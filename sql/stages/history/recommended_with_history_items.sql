-- recommended_with_history_items: one row per recommendation and item of the history of its list, with the similarity of the two items.
--
-- similarity: the mean of both directions, if both are given. Unknown pairs have 0; an item and itself have 1.
SELECT
  recommended.list_id, recommended.rank,
  COALESCE(
    (forward.similarity + backward.similarity) / 2, forward.similarity, backward.similarity,
    CASE WHEN recommended.item = history_items.item THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END
  ) AS similarity
FROM recommended
JOIN history_items ON recommended.history_id = history_items.history_id
LEFT JOIN pair_similarities AS forward ON recommended.item = forward.item AND history_items.item = forward.other
LEFT JOIN pair_similarities AS backward ON history_items.item = backward.item AND recommended.item = backward.other
