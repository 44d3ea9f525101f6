-- lists_tied: lists with equal scores among the places that count, or between the last and the next; the tie rule decides
--
-- needs: score
-- shown: if any
SELECT COUNT(*) AS lists_tied
FROM tied
WHERE n_alike > 1
