-- items_compared_second: the items that the similarity table has as the second of a pair.
SELECT DISTINCT other AS item
FROM pair_similarities
