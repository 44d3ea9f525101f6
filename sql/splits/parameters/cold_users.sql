-- cold_users: what happens to test rows of users who have no other rows.
SELECT
  0 AS keep, -- they stay
  1 AS drop -- they are left out
