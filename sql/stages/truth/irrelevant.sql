-- irrelevant: the items that were judged and are not relevant.
SELECT truth_id, item
FROM judged
WHERE NOT ($relevance) AND $judged
