-- ranks_not_whole: Some ranks are no whole numbers, or are too large to be told from their neighbours.
--
-- n: the recommendations with such a rank.
-- needs: wide rank
-- samples: recs recs_with_broken_rank
SELECT ranks_not_whole AS n
FROM account
WHERE ranks_not_whole > 0
