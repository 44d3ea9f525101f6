-- ranked_judgment_counts: one row per list, with the number of items of its truth that it ranks.
SELECT ranked_among_all.list_id, COUNT(DISTINCT ranked_among_all.item) AS n_ranked
FROM ranked_among_all
JOIN distinct_judgments ON ranked_among_all.truth_id = distinct_judgments.truth_id AND ranked_among_all.item = distinct_judgments.item
GROUP BY ranked_among_all.list_id
