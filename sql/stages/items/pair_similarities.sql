-- pair_similarities: one row per pair of items and direction, with the similarity. Of repeated rows, the mean counts.
SELECT item, other, AVG(similarity) AS similarity
FROM similarity
WHERE item IS NOT NULL AND other IS NOT NULL
GROUP BY item, other
