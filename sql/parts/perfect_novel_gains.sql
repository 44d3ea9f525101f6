-- perfect_novel_gains: the novel gains of one subtopic in a list of k items that are all relevant to it.
--
-- cutoff: needed
-- range: [0, inf)
SELECT SUM(POWER(1 - CAST($redundancy AS DOUBLE), rank - 1) * $discount) AS perfect_novel_gains
FROM positions
WHERE rank <= $k
