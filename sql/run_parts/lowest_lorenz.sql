-- lowest_lorenz: the lowest value of lorenz that lists of this number and length can have; with unequal weights of ranks and more recommendations than items, a bound below it.
--
-- Each recommendation is of another item, or each item has the same number of them, or one more.
-- range: [0, inf)
SELECT
  CASE
    WHEN n_slots <= $among THEN ($among + n_nonempty_lists) * exposure - 2 * n_nonempty_lists * exposure_by_rank
    WHEN n_slots = exposure THEN ($among * (1 + slots_per_item) - n_slots) * (n_slots - $among * slots_per_item)
    ELSE 0
  END AS lowest_lorenz
FROM runs
