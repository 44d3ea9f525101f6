-- ranks_not_whole: Some ranks are not whole numbers, or are too large to be told apart.
--
-- Is the column a score? Then name it: `rm.Input(recs, columns={"score": "…"})`.
--
-- n: the recommendations with such a rank.
-- needs: wide rank
-- samples: recs recs_with_broken_rank
-- order: 5
-- say: Some ranks{in rank} are not whole numbers from 1 to 9,007,199,254,740,992, such as {recs}.
SELECT ranks_not_whole AS n
FROM account
WHERE ranks_not_whole > 0
