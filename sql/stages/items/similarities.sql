-- similarities: the similarity of each pair as it is given; where a pair repeats, the mean.
SELECT item, other, AVG(similarity) AS similarity
FROM similarity
WHERE item IS NOT NULL AND other IS NOT NULL
GROUP BY item, other
