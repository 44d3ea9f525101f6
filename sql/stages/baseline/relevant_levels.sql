-- relevant_levels: one row per recall level of a truth list: 1 to the number of its relevant items.
SELECT truth_id, ROW_NUMBER() OVER (PARTITION BY truth_id ORDER BY item) AS level
FROM distinct_judgments
WHERE $relevance
