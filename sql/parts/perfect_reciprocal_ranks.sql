-- perfect_reciprocal_ranks: the novel reciprocal ranks of one subtopic in a list of k items that are all relevant to it.
--
-- cutoff: needed
-- range: [0, inf)
SELECT SUM(POWER(1 - CAST($redundancy AS DOUBLE), rank - 1) / rank) AS perfect_reciprocal_ranks
FROM positions
WHERE rank <= $k
