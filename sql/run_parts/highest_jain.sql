-- highest_jain: the highest value of jain that lists of this number and length can have; with unequal weights of ranks and more recommendations than items, a bound above it.
--
-- Each recommendation is of another item, or each item has the same number of them, or one more.
-- range: [0, inf)
SELECT
  CASE
    WHEN n_slots <= $among THEN exposure * exposure / NULLIF($among * squared_weights, 0)
    WHEN n_slots = exposure THEN n_slots * n_slots / NULLIF($among * ((2 * slots_per_item + 1) * n_slots - $among * slots_per_item * (slots_per_item + 1)), 0)
    ELSE 1
  END AS highest_jain
FROM runs
