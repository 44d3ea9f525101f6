-- no_list_in_baseline: No list is in both the recommendations and the baseline.
--
-- Compare the ids that the error shows.
--
-- n: the lists of the baseline.
-- needs: baseline-lists
-- samples: recs recommended_baseline_lists, baseline baseline_lists
-- order: 16
-- say: No list is in both the recommendations and the baseline, which share {shared baseline}. Recommendations
--    have {recs}; the baseline has {baseline}.
SELECT baseline_lists AS n
FROM account
WHERE baseline_lists_met = 0 AND baseline_lists > 0 AND lists_recommended > 0
