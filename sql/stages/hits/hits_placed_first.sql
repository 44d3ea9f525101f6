-- hits_placed_first: one row per hit, at the best rank that its score allows: before other items with the score, the highest rating first.
SELECT
  list_id, item, rating, times,
  first_rank - 1 + ROW_NUMBER() OVER (PARTITION BY list_id, first_rank ORDER BY rating DESC) AS rank
FROM hits_in_ties
