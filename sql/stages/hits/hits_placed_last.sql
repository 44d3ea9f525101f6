-- hits_placed_last: one row per hit, at the worst rank that its score allows: after other items with the score, the highest rating last.
SELECT
  list_id, item, rating, times,
  last_rank + 1 - ROW_NUMBER() OVER (PARTITION BY list_id, last_rank ORDER BY rating DESC) AS rank
FROM hits_in_ties
