-- tied_hits: each hit, repeated for every rank of the items that share its score.
--
-- n_tied: the number of these ranks; 1 if no other item has the score.
-- position: equal to rank. A cutoff limits position and leaves rank alone. So a hit below the cutoff still counts if an
-- item above the cutoff has the same score.
-- when: duplicates = first
SELECT
  hits.list_id, hits.rating, ranked_without_repeats.rank, ranked_without_repeats.rank AS position,
  score_groups.last_rank - score_groups.first_rank + 1 AS n_tied
FROM hits
JOIN score_groups ON hits.list_id = score_groups.list_id AND hits.rank >= score_groups.first_rank AND hits.rank <= score_groups.last_rank
JOIN ranked_without_repeats ON score_groups.list_id = ranked_without_repeats.list_id AND ranked_without_repeats.rank >= score_groups.first_rank AND ranked_without_repeats.rank <= score_groups.last_rank
