-- pairs_unknown: pairs of a list whose similarity is not given; counted as 0
--
-- needs: similarity
-- shown: if any
SELECT COALESCE(SUM(n_pairs_unknown), 0) AS pairs_unknown
FROM metrics
