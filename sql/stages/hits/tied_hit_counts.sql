-- tied_hit_counts: one row per list and score that has hits, with the number of hits.
--
-- first_rank, last_rank: the first and the last rank of all items that have the score.
SELECT list_id, first_rank, last_rank, COUNT(*) AS n_hits
FROM hits_in_ties
GROUP BY list_id, first_rank, last_rank
