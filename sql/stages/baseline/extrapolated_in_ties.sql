-- extrapolated_in_ties: one row per list and rank down to the end of the longer list, with the agreement if the shorter list goes on as before its end.
--
-- last_rank: the last rank of the longer list.
SELECT
  agreements_in_ties.list_id, agreements_in_ties.rank, agreements_in_ties.longer AS last_rank,
  agreements_in_ties.equal
    * (agreements_in_ties.n_shared + COALESCE(ends.equal * ends.n_shared, 0) * agreements_in_ties.n_unseen) AS equal,
  agreements_in_ties.averaged
    * (agreements_in_ties.shared + COALESCE(ends.averaged * ends.shared, 0) * agreements_in_ties.unseen) AS averaged,
  agreements_in_ties.corrected
    * (agreements_in_ties.shared + COALESCE(ends.corrected * ends.shared, 0) * agreements_in_ties.unseen) AS corrected
FROM agreements_in_ties
LEFT JOIN agreements_in_ties AS ends
  ON agreements_in_ties.list_id = ends.list_id AND agreements_in_ties.shorter = ends.rank
