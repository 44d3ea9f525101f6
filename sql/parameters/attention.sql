-- attention: what the attention of a rank depends on.
--
-- The models of readers: `discount` alone, as log2 (DCG), geometric (RBP) or uniform (all ranks alike); and with attention=cascade, discount=geometric, a reader who may also stop at hits (GERR, as ERR).
SELECT
  CAST(0 AS DOUBLE) AS position, -- the rank alone: its discount
  $stop AS "cascade" -- also the hits above: the discount, times the probability that a reader did not stop at any of them; a list with a hit rated above max_rating is left out
FROM stop_chances
