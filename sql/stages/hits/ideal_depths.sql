-- ideal_depths: one row per list and depth down to the end of the list or of its ideal list.
--
-- n_new: the items that both lists have down to this rank, and not down to the rank above.
-- n_ideal: the items of the ideal list down to this rank.
SELECT
  list_depths.list_id, positions.rank,
  COUNT(hits_in_ideal.rank) AS n_new,
  MIN(LEAST(positions.rank, relevant_counts.n_relevant)) AS n_ideal
FROM list_depths
JOIN relevant_counts ON list_depths.truth_id = relevant_counts.truth_id
JOIN positions ON positions.rank <= GREATEST(list_depths.depth, relevant_counts.n_relevant)
LEFT JOIN hits_in_ideal ON list_depths.list_id = hits_in_ideal.list_id AND positions.rank = hits_in_ideal.rank
GROUP BY list_depths.list_id, positions.rank
