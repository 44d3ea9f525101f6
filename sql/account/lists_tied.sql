-- lists_tied: lists with equal scores, down to one place past the deepest cutoff; the tie rule orders them
--
-- needs: score
-- shown: if any
SELECT COUNT(*) AS lists_tied
FROM list_ties
WHERE is_tied = 1
