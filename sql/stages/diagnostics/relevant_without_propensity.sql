-- relevant_without_propensity: one row per truth list and relevant item without a propensity above 0 and up to 1.
SELECT truth_id, item
FROM relevant_propensities
WHERE propensity IS NULL OR propensity <= 0 OR propensity > 1
