-- several_lists_for_one_list_of_the_truth: Several lists are averaged for each list of the truth.
--
-- severity: warning
-- order: 119
-- needs: pooled lists
-- say: {lists_recommended / truth_lists_asked:.3g} lists are averaged for each list of the truth. They differ in
--    {pooled}: the truth does not have {pooled_columns: ; this column; these columns}, and {by=} does not name
--    {pooled_columns: ; it; them}.
SELECT lists_recommended AS n
FROM account
WHERE lists_recommended >= 10 AND lists_recommended > truth_lists_asked
