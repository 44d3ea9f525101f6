-- n_nonempty_lists: lists that hold an item.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_nonempty_lists
FROM list_lengths
