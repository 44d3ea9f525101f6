-- novel_gains: sum, over the hits of all subtopics, of the discount of the rank, times 1 - redundancy for each earlier hit of the same subtopic.
--
-- range: [0, inf)
SELECT COALESCE(SUM(POWER(1 - CAST($redundancy AS DOUBLE), hit_number - 1) * $discount), 0) AS novel_gains
FROM subtopic_hits
WHERE rank <= $k
