-- similarity_asymmetric: pairs of items whose similarity differs between the two orders; their mean stands
--
-- needs: similarity
-- shown: if any
SELECT COUNT(*) AS similarity_asymmetric
FROM asymmetric_pairs
