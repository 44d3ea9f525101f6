-- category_information: one row per list and rank of a catalogue item with a category, with what it adds to the sum, over the categories, of n * ln(n / target).
--
-- Here, n is the number of items of a category down to the rank.
SELECT
  numbered_categories.list_id, numbered_categories.rank,
  SUM(
    numbered_categories.n_of_category * LN(numbered_categories.n_of_category / category_targets.target)
    - CASE
      WHEN numbered_categories.n_of_category > numbered_categories.part
      THEN (numbered_categories.n_of_category - numbered_categories.part)
        * LN((numbered_categories.n_of_category - numbered_categories.part) / category_targets.target)
      ELSE CAST(0 AS DOUBLE)
    END
  ) AS added
FROM numbered_categories
JOIN category_targets
  ON numbered_categories.fold_id = category_targets.fold_id AND numbered_categories.category = category_targets.category
GROUP BY numbered_categories.list_id, numbered_categories.rank
