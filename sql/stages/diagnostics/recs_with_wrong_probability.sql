-- recs_with_wrong_probability: the rows of recommendations whose probability is NULL, or not from 0 to 1.
SELECT list_id, item
FROM recs
WHERE list_id IS NOT NULL AND item IS NOT NULL AND (probability IS NULL OR NOT (probability >= 0 AND probability <= 1))
