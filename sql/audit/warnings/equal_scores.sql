-- equal_scores: scores that several items of a list have, so that a policy decides on the order of these items
--
-- needs: score
SELECT list_id, score, COUNT(*) AS n_items
FROM recs
WHERE score IS NOT NULL
GROUP BY list_id, score
HAVING COUNT(*) > 1
