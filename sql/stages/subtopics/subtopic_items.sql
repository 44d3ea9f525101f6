-- subtopic_items: one row per truth list, subtopic and item that is relevant to it.
SELECT DISTINCT truth_id, subtopic, item
FROM subtopic_judgments
WHERE $relevance
