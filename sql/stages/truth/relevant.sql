-- relevant: the rows of the truth that a list should have found.
SELECT truth_id, item, rating
FROM judgments
WHERE $relevance
