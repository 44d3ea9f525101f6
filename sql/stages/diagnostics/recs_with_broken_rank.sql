-- recs_with_broken_rank: the rows of the recommendations whose rank is not a whole number, or is beyond 2^53, where floats skip numbers.
--
-- Only some types of numbers can hold such a rank. rank_as_float: the rank as it is in the input.
SELECT list_id, item, rank_as_float
FROM recs
WHERE list_id IS NOT NULL AND (
  rank_as_float <> FLOOR(rank_as_float)
  OR NOT rank_as_float BETWEEN CAST(-9007199254740992 AS DOUBLE) AND CAST(9007199254740992 AS DOUBLE)
)
