-- unrated_judgments: the rows of the truth with a NULL or NaN rating. A NaN is read as NULL.
SELECT truth_id, item
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL AND rating IS NULL
