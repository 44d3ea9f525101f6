-- lists_tied: lists have tied scores; the option `ties` decides their order
--
-- needs: score
-- shown: if any
SELECT COUNT(*) AS lists_tied
FROM list_ties
WHERE is_tied = 1
