-- recs_with_broken_rank: the recommendations whose rank is no whole number, or is beyond 2^53, where floats skip numbers.
--
-- Only ranks of a type that has such numbers can be broken. rank_as_float: the rank as the input has it.
SELECT list_id, item, rank_as_float
FROM recs
WHERE list_id IS NOT NULL AND (
  rank_as_float <> FLOOR(rank_as_float)
  OR NOT rank_as_float BETWEEN CAST(-9007199254740992 AS DOUBLE) AND CAST(9007199254740992 AS DOUBLE)
)
