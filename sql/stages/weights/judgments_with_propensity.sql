-- judgments_with_propensity: one row per truth list and item, with its rating and propensity.
--
-- Of a repeated item, the row with the highest rating counts, with its own propensity: the highest, if several rows have this rating.
SELECT truth_id, item, rating, MAX(propensity) AS propensity
FROM judgments_with_highest_rating
WHERE rating = highest_rating
GROUP BY truth_id, item, rating
