-- identified: the interactions that have a user and an item.
SELECT *
FROM interactions
WHERE user_id IS NOT NULL AND item_id IS NOT NULL
