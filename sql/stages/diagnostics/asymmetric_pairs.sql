-- asymmetric_pairs: one row per pair of items whose similarity differs between the two directions.
SELECT forward.item, forward.other
FROM pair_similarities AS forward
JOIN pair_similarities AS backward ON forward.item = backward.other AND forward.other = backward.item
WHERE forward.item < forward.other AND forward.similarity <> backward.similarity
