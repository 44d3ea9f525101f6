-- outrankings: sum, over the hits, of how many judged irrelevant items stand above, at most as many as are relevant.
--
-- range: [0, inf)
SELECT COALESCE(SUM(n_above), 0) AS outrankings
FROM outranked
WHERE rank <= $k
