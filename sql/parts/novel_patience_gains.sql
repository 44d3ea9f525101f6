-- novel_patience_gains: sum, over the hits of all subtopics, of p^(rank - 1), times 1 - redundancy for each earlier hit of the same subtopic.
--
-- range: [0, inf)
SELECT COALESCE(SUM(POWER(1 - CAST($redundancy AS DOUBLE), hit_number - 1) * POWER($p, rank - 1)), 0) AS novel_patience_gains
FROM subtopic_hits
WHERE rank <= $k
