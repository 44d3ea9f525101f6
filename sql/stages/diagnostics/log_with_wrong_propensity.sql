-- log_with_wrong_propensity: the rows of the log whose propensity is NULL, or no probability above 0.
SELECT log_id, item
FROM log
WHERE log_id IS NOT NULL AND item IS NOT NULL AND (propensity IS NULL OR NOT (propensity > 0 AND propensity <= 1))
