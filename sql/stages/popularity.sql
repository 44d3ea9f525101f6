-- popularity: how many lists' owners know each item, by the history.
SELECT item, COUNT(*) AS n_users
FROM consumed
GROUP BY item
