-- recommended_items_of_the_history: Recommended items are in the history of their list.
--
-- severity: warning
-- order: 109
-- needs: cut lists
-- per: system
-- say: {sampled_recs_known} of {sampled_counted} recommendations{of systems} are items of the history of their
--    list, in {sample}, and hardly any relevant item is. They take ranks and cannot be hits. Leave the items of the
--    history out of the recommendations. If they were left out, the ids of users or items differ between the inputs.
SELECT sampled_recs_known AS n
FROM account
WHERE 100 * sampled_known < sampled_relevant AND sampled_recs_known >= 10 AND 100 * sampled_recs_known >= sampled_counted
