-- positions: one row per rank, from 1 to the largest cutoff.
SELECT rank
FROM GENERATE_SERIES(1, $deepest) AS positions(rank)
