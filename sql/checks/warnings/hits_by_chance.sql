-- hits_by_chance: Recommendations fit their own truth no better than that of other lists.
--
-- severity: warning
-- found: by a test
-- order: 105
-- needs: cut lists
-- say: The recommendations{of systems} fit their own truth no better than the truth of other lists: they have
--    {hits: relevant item; relevant items} in {sample}, and {chance:,.0f} are expected by chance. Possible causes:
--    the ids of users or items differ between the two inputs, as after numbering each table by itself; the truth is
--    the training data; the model is untrained; the items are random.
SELECT sampled_hits AS n
FROM account
