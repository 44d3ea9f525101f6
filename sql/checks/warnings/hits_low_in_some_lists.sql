-- hits_low_in_some_lists: Relevant items rank low in lists whose scores bunch at the high end.
--
-- severity: warning
-- found: by a test
-- order: 114
-- needs: whole lists
-- say: Relevant items rank low in lists whose scores bunch at the high end{for systems}: {sampled_bunched_high} of
--    {sampled_bunched_high + sampled_bunched_low} are in the upper half of their lists, and {(sampled_bunched_high +
--    sampled_bunched_low) / 2:,.10g} are expected by chance. Some lists may be reversed: a higher score must be better
--    in every list.
SELECT sampled_bunched_low AS n
FROM account
