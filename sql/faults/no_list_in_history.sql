-- no_list_in_history: No list is in both the recommendations and the history.
--
-- n: the lists of the history.
-- needs: history-lists
-- samples: recs recommended_history_lists, history history_lists
SELECT history_lists AS n
FROM account
WHERE history_lists_met = 0 AND history_lists > 0 AND lists_recommended > 0
