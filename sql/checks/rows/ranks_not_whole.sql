-- ranks_not_whole: Some ranks are not whole numbers, or are too large to be told apart.
--
-- Is the column a score? Then name it: `rm.Input(recs, columns={"score": "…"})`.
--
-- rows: recommendations whose rank is not a whole number, or is beyond 2^53
-- of: recs
-- needs: wide rank
-- order: 5
-- say: Some ranks{in rank} are not whole numbers from 1 to 9,007,199,254,740,992, such as {recs}.
SELECT list_id, item, rank_as_float
FROM recs
WHERE list_id IS NOT NULL AND (
  rank_as_float <> FLOOR(rank_as_float)
  OR NOT rank_as_float BETWEEN CAST(-9007199254740992 AS DOUBLE) AND CAST(9007199254740992 AS DOUBLE)
)
