-- items_compared_first: the items that the similarity table has as the first of a pair.
SELECT DISTINCT item
FROM pair_similarities
