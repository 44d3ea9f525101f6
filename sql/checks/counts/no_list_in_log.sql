-- no_list_in_log: No list is in both the recommendations and the log.
--
-- Compare the ids that the error shows.
--
-- n: the lists of the log.
-- needs: log
-- samples: recs recommended_log_lists, log log_lists
-- order: 17
-- say: No list is in both the recommendations and the log, which share {shared log}. Recommendations have {recs};
--    the log has {log}.
SELECT log_lists AS n
FROM account
WHERE log_lists_met = 0 AND log_lists > 0 AND lists_recommended > 0
