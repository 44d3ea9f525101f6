-- lists_tied: lists have equal scores; the policy `ties` orders them
--
-- needs: score
-- shown: if any
SELECT COUNT(*) AS lists_tied
FROM list_ties
WHERE is_tied = 1
