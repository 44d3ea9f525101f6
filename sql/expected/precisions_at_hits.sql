-- precisions_at_hits: mean of the sum, over the hits, of the precision at the rank of the hit.
SELECT COALESCE(SUM(chance * hit_number / rank), 0) AS precisions_at_hits
FROM hit_chances
WHERE position <= $k
