-- lists_tied: lists with equal scores, down to one rank past the largest cutoff; ordered by the policy `ties`
--
-- needs: score
-- shown: if any
SELECT COUNT(*) AS lists_tied
FROM list_ties
WHERE is_tied = 1
