-- no_history: There is no history: the table has no rows, or every row has a NULL id.
--
-- Leave `history=` out if no metric needs it. If all users are new, `rm.Input(history, cold_start=True)` measures them: nothing is
-- known of any item or user. Ids of a history without rows need the type of those of the recommendations, too.
--
-- needs: history-rows
-- order: 12
-- say: There is no history: {why history}. If all lists are of new users, set {cold_start=true}.
SELECT history_lists AS n
FROM account
WHERE history_lists = 0
