-- hits_in_ideal: one row per hit, with the larger of its ranks in the list and in the ideal list that is most like it.
--
-- Of items with one rating, this ideal list has those first that the list has first. So `rank <= k` means that the hit is
-- among the first k of both.
SELECT
  hits.list_id,
  GREATEST(
    hits.rank,
    ideal_levels.first_rank - 1 + ROW_NUMBER() OVER (PARTITION BY hits.list_id, ideal_levels.first_rank ORDER BY hits.rank)
  ) AS rank
FROM hits
JOIN ideal_levels ON hits.truth_id = ideal_levels.truth_id AND hits.rating = ideal_levels.rating
