-- novel_reciprocal_ranks: sum, over the hits of all subtopics, of 1 / rank, times 1 - redundancy for each earlier hit of the same subtopic.
--
-- range: [0, inf)
SELECT COALESCE(SUM(POWER(1 - CAST($redundancy AS DOUBLE), hit_number - 1) / rank), 0) AS novel_reciprocal_ranks
FROM subtopic_hits
WHERE rank <= $k
