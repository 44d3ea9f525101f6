-- kfold: puts each user, or each interaction, into one of k folds; each fold is tested once.
--
-- All other rows of the data are the fold's train rows. With items_test_fraction, only some items of the fold's users are
-- tested, and their other rows are in train. The folds are of about equal size.
-- source: LensKit crossfold_users and crossfold_records, RecTools KFoldSplitter
WITH numbered_items AS (
  SELECT *, DENSE_RANK() OVER (PARTITION BY user_id ORDER BY row_hash NULLS FIRST) AS item_number
  FROM hashed
),
item_counts AS (
  SELECT *, MAX(item_number) OVER (PARTITION BY user_id) AS n_items
  FROM numbered_items
)
SELECT
  item_counts.*,
  folds.fold,
  CASE
    WHEN $of >= folds.first_hash
      AND $of < folds.next_hash
      AND item_number <= FLOOR(n_items * $items_test_fraction + 0.5) THEN 'test'
    ELSE 'train'
  END AS subset
FROM item_counts
CROSS JOIN folds
