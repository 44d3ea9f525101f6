-- hits_with_ideal_dcg: one row per hit, with the dcg of the list and the dcg of the ideal list, both down to its rank.
--
-- Below its last rank, the ideal list keeps its dcg.
SELECT hits_with_dcg.list_id, hits_with_dcg.rank, hits_with_dcg.dcg_so_far, ideal_dcgs.ideal_dcg_so_far
FROM hits_with_dcg
JOIN relevant_counts ON hits_with_dcg.truth_id = relevant_counts.truth_id
JOIN ideal_dcgs
  ON relevant_counts.truth_id = ideal_dcgs.truth_id AND ideal_dcgs.rank = LEAST(hits_with_dcg.rank, relevant_counts.n_relevant)
