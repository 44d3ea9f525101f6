-- judgments_with_propensity: one row per truth list and item, with its rating and propensity. A repeated item keeps the highest of each.
SELECT truth_id, item, MAX(COALESCE(rating, CAST(1 AS DOUBLE))) AS rating, MAX(propensity) AS propensity
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL
GROUP BY truth_id, item
