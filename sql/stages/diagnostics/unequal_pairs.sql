-- unequal_pairs: pairs of items whose similarity is not the same both ways round.
SELECT there.item, there.other
FROM similarities AS there
JOIN similarities AS back ON there.item = back.other AND there.other = back.item
WHERE there.item < there.other AND there.similarity <> back.similarity
