-- lists_misranked: lists whose ranks are not 1, 2, 3 and so on
--
-- needs: rank
SELECT COUNT(*) AS lists_misranked
FROM lists_with_suspect_ranks
