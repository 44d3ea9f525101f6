-- items_compared_first: one row per item that is the first of a pair in the similarity table.
SELECT DISTINCT item
FROM pair_similarities
