-- places: the places of a list, 1 to the deepest cutoff.
SELECT rank
FROM GENERATE_SERIES(1, $deepest) AS places(rank)
