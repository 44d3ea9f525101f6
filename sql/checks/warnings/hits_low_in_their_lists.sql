-- hits_low_in_their_lists: Relevant items rank below chance.
--
-- severity: warning
-- found: by a test
-- order: 113
-- say: Relevant items rank below chance{for systems}: {sampled_hits_high} of {sampled_hits_high +
--    sampled_hits_low} are in the upper half of their lists, and {expected} are expected by chance. {best first}
SELECT sampled_hits_low AS n
FROM account
