-- ranks_not_whole: Some ranks are not whole numbers, or are too large to be told apart.
--
-- Is the column a score? Then name it: `rm.Input(recs, columns={"score": "…"})`.
--
-- n: the recommendations with such a rank.
-- needs: wide rank
-- samples: recs recs_with_broken_rank
SELECT ranks_not_whole AS n
FROM account
WHERE ranks_not_whole > 0
