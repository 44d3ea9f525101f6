-- embedding_lengths: the length of each item's embedding; one of length 0 says nothing and is left out.
SELECT item, SQRT(SUM(number * number)) AS length
FROM vectors
GROUP BY item
HAVING SUM(number * number) > 0
