-- subtopic_judgments: the rows of the truth with a subtopic. A missing rating counts as 1, and rows with a NULL id are left out.
SELECT truth_id, item, subtopic, COALESCE(rating, CAST(1 AS DOUBLE)) AS rating
FROM truth
WHERE truth_id IS NOT NULL AND item IS NOT NULL AND subtopic IS NOT NULL
