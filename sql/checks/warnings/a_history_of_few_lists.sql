-- a_history_of_few_lists: The history has rows of few of the lists.
--
-- severity: warning
-- order: 110
-- per: system
-- say: The history has rows of only {lists_recommended - lists_without_history} of the {lists_recommended}
--    lists{of systems}. Is it a part of the history, or that of other users? Metrics of the history take the other
--    lists as those of new users.
SELECT lists_without_history AS n
FROM account
WHERE lists_without_history >= 10 AND 10 * (lists_recommended - lists_without_history) < lists_recommended
