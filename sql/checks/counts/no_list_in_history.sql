-- no_list_in_history: No list is in both the recommendations and the history.
--
-- Only a metric that reads the history of each list, as `unseen` does, is refused: popularity counts the rows of the
-- history.
--
-- - The ids differ in form: compare the ids that the error shows.
-- - All lists are of new users: set `rm.Input(history, cold_start=True)`, and each list has no history.
--
-- n: the lists of the history.
-- needs: history-lists
-- samples: recs recommended_history_lists, history history_lists
-- order: 15
-- say: No list is in both the recommendations and the history, which share {shared history}. Recommendations have
--    {recs}; the history has {history}. If all lists are of new users, set {cold_start=true}.
SELECT history_lists AS n
FROM account
WHERE history_lists_met = 0 AND history_lists > 0 AND lists_recommended > 0
