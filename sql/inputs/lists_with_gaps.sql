-- lists_with_gaps: the first lists that lack a rank above their last, down to rank k.
--
-- $shift is 1 if ranks count from 0, otherwise 0.
SELECT list_id
FROM recs
WHERE list_id IS NOT NULL
GROUP BY list_id
HAVING COUNT(CASE WHEN rank + $shift <= $k THEN rank END) < MAX(LEAST(rank + $shift, $k))
ORDER BY list_id
LIMIT 3
