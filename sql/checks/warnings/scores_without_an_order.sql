-- scores_without_an_order: All scores of a list are equal.
--
-- severity: warning
-- order: 120
-- needs: decided ties
-- per: system
-- say: All scores of a list are equal, or none is a number, in {sampled_level} of the first lists{of systems}.
--    Such lists are in the order of their item ids, which says nothing of the system. Give the scores that the system
--    ranked by, or a rank column. If the items of a list have no order, take the mean over all orders:
--    {ties=expected}.
SELECT sampled_level AS n
FROM account
WHERE sampled_level >= 10 AND 20 * sampled_level >= LEAST(lists_recommended, sampled_lists)
