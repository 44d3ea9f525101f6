-- similarity_asymmetric: pairs of items whose similarity differs between the two directions; their mean counts
--
-- needs: similarity
-- shown: if any
SELECT COUNT(*) AS similarity_asymmetric
FROM asymmetric_pairs
