-- ranks_from_below_1: The ranks of some lists start below 1. With ranks=given, they count from 1, or from rank_from.
--
-- With `ranks="given"`, a list may begin at any rank, but ranks still count from 1 (or from `rank_from`). Here, some
-- ranks are lower: set `rm.Input(recs, rank_from=0)` if the first rank is 0.
--
-- rows: lists whose ranks start below 1
-- of: recs
-- counted: in doubt
-- needs: given ranks
-- order: 7
-- say: The ranks of {n: list; lists}{in rank} start below {first rank}, such as those of {recs}. With
--    {ranks=given}, no rank may be below {first rank}; if ranks count from 0, set {rank_from=0}.
SELECT list_id
FROM recommended_list_counts
WHERE first_rank < 1
