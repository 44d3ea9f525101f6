-- ranks_of_hits: mean of the sum of the ranks of the hits.
SELECT COALESCE(SUM(chance * rank), 0) AS ranks_of_hits
FROM hit_chances
WHERE position <= $k
