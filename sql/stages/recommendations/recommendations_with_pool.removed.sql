-- recommendations_with_pool: one row per recommendation of a judged item, with its rank among the judged items of its list.
--
-- The last rank is the number of judged items in the list. A pool column is not read: it counts the unjudged items, too.
-- when: unjudged = removed, removed_negative
SELECT list_id, score, rank, rank AS pool
FROM ranked
