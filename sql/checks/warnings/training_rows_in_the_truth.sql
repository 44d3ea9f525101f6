-- training_rows_in_the_truth: The truth has rows of the history.
--
-- severity: warning
-- order: 118
-- say: The truth has rows that are also in the history: {sampled_known} of the {sampled_relevant} relevant items
--    of the first {sampled_lists} lists. Does the truth contain training data?
SELECT sampled_known AS n
FROM account
WHERE sampled_known >= 10 AND 100 * sampled_known >= sampled_relevant
