-- repeated_policy_actions: one row per list, item and position that a policy has more than once.
SELECT list_id, item, rank, COUNT(*) AS n_rows
FROM policy
GROUP BY list_id, item, rank
HAVING COUNT(*) > 1
