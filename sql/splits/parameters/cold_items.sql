-- cold_items: what happens to test rows of items that have no other rows.
SELECT
  0 AS keep, -- they stay
  1 AS drop -- they are left out
