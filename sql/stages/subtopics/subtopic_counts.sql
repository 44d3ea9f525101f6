-- subtopic_counts: one row per truth list and subtopic that has relevant items, with their number.
SELECT truth_id, subtopic, COUNT(*) AS n_relevant
FROM subtopic_items
GROUP BY truth_id, subtopic
