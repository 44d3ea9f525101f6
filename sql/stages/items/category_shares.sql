-- category_shares: how much of the first k places each category has, all have together, and how many categories there are.
SELECT
  category_mass.list_id, category_mass.category, category_mass.mass,
  SUM(category_mass.mass) OVER (PARTITION BY category_mass.list_id) AS total,
  category_kinds.n_kinds
FROM category_mass
LEFT JOIN category_kinds ON category_mass.fold_id = category_kinds.fold_id
