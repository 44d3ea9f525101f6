-- hits_low_in_their_lists: Relevant items rank below chance.
--
-- severity: warning
-- found: by a test
-- order: 113
-- needs: whole lists
-- say: Relevant items rank below chance{for systems}: {sampled_hits_high} of {sampled_hits_high + sampled_hits_low}
--    are in the upper half of their lists, and {(sampled_hits_high + sampled_hits_low) / 2:,.10g} are expected by
--    chance. {given_ranks: If a lower score is better, set {lower_is_better=true}.; Rank 1 must be the best.; }
SELECT sampled_hits_low AS n
FROM account
