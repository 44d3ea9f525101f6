-- repeats: which interactions of a user with the same item are kept.
SELECT
  0 AS "all", -- all
  1 AS first, -- the first, by time
  2 AS last -- the last, by time
