-- embedding_lengths: the length of the embedding of each item; an embedding of length 0 is left out.
SELECT item, SQRT(SUM(number * number)) AS length
FROM embedding_numbers
GROUP BY item
HAVING SUM(number * number) > 0
