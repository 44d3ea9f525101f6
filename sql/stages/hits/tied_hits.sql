-- tied_hits: one row per hit and rank of an item with the same score.
--
-- n_tied: the number of these ranks; 1 if no other item has the score.
-- position: equal to rank. A cutoff limits position and leaves rank alone. So a hit below the cutoff still counts if an
-- item above the cutoff has the same score.
SELECT
  hits_in_ties.list_id, hits_in_ties.rating, tied_ranks.rank, tied_ranks.rank AS position,
  hits_in_ties.last_rank - hits_in_ties.first_rank + 1 AS n_tied
FROM hits_in_ties
JOIN tied_ranks ON hits_in_ties.list_id = tied_ranks.list_id AND hits_in_ties.first_rank = tied_ranks.first_rank
