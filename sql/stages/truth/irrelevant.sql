-- irrelevant: the judged items of each truth list that are not relevant.
SELECT truth_id, item
FROM distinct_judgments
WHERE NOT ($relevance) AND $judged
