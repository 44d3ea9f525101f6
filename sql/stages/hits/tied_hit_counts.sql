-- tied_hit_counts: the number of hits with the same score, for each list and score that has any.
--
-- first_rank, last_rank: of all items that have the score.
SELECT list_id, first_rank, last_rank, COUNT(*) AS n_hits
FROM hits_in_ties
GROUP BY list_id, first_rank, last_rank
