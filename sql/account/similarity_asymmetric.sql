-- similarity_asymmetric: pairs of items whose similarity differs between the two directions; counted with the mean of both
--
-- needs: similarity
-- shown: if any
SELECT COUNT(*) AS similarity_asymmetric
FROM asymmetric_pairs
