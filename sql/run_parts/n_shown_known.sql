-- n_shown_known: those of them that could be recommended.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_shown_known
FROM shown_known
WHERE rank <= $k
