-- label_counts: how many lists people labelled, and how many of them the judge labelled.
SELECT COUNT(*) AS n, COUNT(in_truth) AS n_known
FROM label_lists
