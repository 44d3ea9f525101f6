-- cluster_moments: for each metric and pair of systems, the sums that the variance between clusters of lists needs.
SELECT pair_id, COUNT(*) AS n_clusters, SUM(deviation * deviation) AS sum_of_squares_between
FROM cluster_deviations
GROUP BY pair_id
