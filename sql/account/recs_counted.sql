-- recs_counted: recommendations without a NULL id
SELECT COALESCE(SUM(n_items), 0) AS recs_counted
FROM recommended_list_counts
