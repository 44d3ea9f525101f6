-- ranks_not_from_1: The ranks of some lists do not start at the first rank, which is 1 unless rank_from is 0.
--
-- n: the lists.
-- needs: checked ranks
-- samples: recs lists_not_from_1
SELECT lists_not_from_1 AS n
FROM account
WHERE lists_not_from_1 > 0
