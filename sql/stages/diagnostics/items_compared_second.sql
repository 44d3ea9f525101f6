-- items_compared_second: one row per item that is the second of a pair in the similarity table.
SELECT DISTINCT other AS item
FROM pair_similarities
