-- positions: the ranks from 1 to the largest cutoff.
SELECT rank
FROM GENERATE_SERIES(1, $deepest) AS positions(rank)
