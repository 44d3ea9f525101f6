-- ranked_negative_counts: one row per list, with the number of negatives that it ranks.
SELECT ranked_among_all.list_id, COUNT(DISTINCT ranked_among_all.item) AS n_ranked
FROM ranked_among_all
JOIN negatives ON ranked_among_all.truth_id = negatives.truth_id AND ranked_among_all.item = negatives.item
GROUP BY ranked_among_all.list_id
