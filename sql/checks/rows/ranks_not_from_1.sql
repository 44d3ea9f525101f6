-- ranks_not_from_1: The ranks of some lists do not start at the first rank, which is 1 unless rank_from is 0.
--
-- - Ranks count from 0: set `rm.Input(recs, rank_from=0)`.
-- - All lists were ranked as one: rank within each list, or give the score instead.
-- - The first rows were filtered out, such as by `where=`: rank again after the filter, by `ranks="again"`.
-- - The ranks are meant as they are: `ranks="given"` counts each item at its rank.
--
-- rows: lists whose ranks do not start at 1
-- of: recs
-- counted: in doubt
-- needs: checked ranks
-- order: 6
-- say: The ranks of {n: list; lists}{in rank} do not start at {first rank}, such as those of {recs}. Ranks count
--    from {first rank}; if they count from 0, set {rank_from=0}. {filtered_recs: If the first items were filtered
--    out,; {where=} leaves out recommendations:; } {ranks=again} ranks the others again;
--    {ranks=given} counts them at these ranks.
SELECT list_id
FROM recommended_list_counts
WHERE first_rank <> 1
