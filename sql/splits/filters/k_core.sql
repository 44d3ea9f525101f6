-- k_core: one round: drops users with too few interactions, then items with too few of the interactions that are left.
--
-- A round can leave a user with too few interactions, because it drops items after it has counted them.
-- source: Seidman (1983), Network structure and minimum degree, doi:10.1016/0378-8733(83)90028-X
WITH user_counts AS (
  SELECT *, COUNT(*) OVER (PARTITION BY user_id) AS n_of_user
  FROM kept_rows
),
of_kept_users AS (
  SELECT *
  FROM user_counts
  WHERE n_of_user >= $k_core
),
item_counts AS (
  SELECT *, COUNT(*) OVER (PARTITION BY item_id) AS n_of_item
  FROM of_kept_users
)
SELECT *
FROM item_counts
WHERE n_of_item >= $k_core
