-- tied_hits: each hit at every rank that its score takes in the list; a score that no other item has takes one.
--
-- n_tied: how many ranks these are. place: the rank once more; a cutoff is a limit of places and not of ranks, so that
-- the hits are found that stand below the cutoff and share their score with an item above it.
-- when: duplicates = first
SELECT
  hits.list_id, hits.rating, moved_up.rank, moved_up.rank AS place,
  score_groups.last_rank - score_groups.first_rank + 1 AS n_tied
FROM hits
JOIN score_groups ON hits.list_id = score_groups.list_id AND hits.rank >= score_groups.first_rank AND hits.rank <= score_groups.last_rank
JOIN moved_up ON score_groups.list_id = moved_up.list_id AND moved_up.rank >= score_groups.first_rank AND moved_up.rank <= score_groups.last_rank
