-- facts: the number of rows, and of rows without a user or an item.
SELECT COUNT(*) AS n_rows, COUNT(*) - COUNT(user_id) AS n_without_user, COUNT(*) - COUNT(item_id) AS n_without_item
FROM interactions
