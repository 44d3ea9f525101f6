-- pair_similarities: the similarity of each pair of items, in the direction given; the mean of repeated rows.
SELECT item, other, AVG(similarity) AS similarity
FROM similarity
WHERE item IS NOT NULL AND other IS NOT NULL
GROUP BY item, other
