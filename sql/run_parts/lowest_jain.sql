-- lowest_jain: the lowest value of jain that lists of this number and length can have: all of them are the same.
--
-- range: [0, inf)
SELECT exposure * exposure / NULLIF($among * n_nonempty_lists * squared_weights, 0) AS lowest_jain
FROM runs
