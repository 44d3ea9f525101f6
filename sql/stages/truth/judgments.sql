-- judgments: the truth, row by row; a row without a rating counts as rated 1, a row with a NULL id is left out.
SELECT truth_id, item, COALESCE(rating, CAST(1 AS DOUBLE)) AS rating
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL
