-- ranks_that_contradict_scores: Ranks and scores contradict each other.
--
-- severity: warning
-- order: 121
-- per: system
-- say: Ranks and scores contradict each other{of systems}: in {sampled_rising} of the first lists, the lower half
--    has a better {score} than the upper half. The ranks in column {column rank} decide. If the {score} should
--    decide, drop this column; if the ranks are right, drop the column {column score}.
SELECT sampled_rising AS n
FROM account
WHERE sampled_rising >= 10 AND 20 * sampled_rising >= LEAST(lists_recommended, sampled_lists)
