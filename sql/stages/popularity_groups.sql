-- popularity_groups: the known items, and whether each is in the long tail: not among the most popular that have `head`
-- of all interactions, the one that crosses that share among them.
SELECT item, CASE WHEN running - n_users >= $head * total THEN 1 ELSE 0 END AS is_tail
FROM popularity_order
