-- judged_unranked: items of the truth that their list does not rank among its candidates; counted as not recommended
--
-- needs: negatives
-- shown: if any
SELECT COALESCE(SUM(n_judged - n_judged_ranked), 0) AS judged_unranked
FROM list_negative_counts
