-- n_subtopic_hits: number of hits among the first k, each counted once for every subtopic that it is relevant to.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_subtopic_hits
FROM subtopic_hits
WHERE rank <= $k
