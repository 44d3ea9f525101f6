-- irrelevant: one row per truth list and judged item that is not relevant.
SELECT truth_id, item
FROM distinct_judgments
WHERE NOT ($relevance) AND $judged
