-- cluster_moments: one row per metric and pair of systems, with the sums that the variance between clusters of lists needs.
SELECT pair_id, COUNT(*) AS n_clusters, SUM(deviation * deviation) AS sum_of_squares_between
FROM cluster_values
GROUP BY pair_id
