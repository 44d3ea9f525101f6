-- reached_impressions: one row per recommendation among the first k of a scored list, with the share of the readers who get to it.
SELECT impressions.list_id, impressions.item, impressions.rank, readers.reached
FROM impressions
JOIN readers ON impressions.list_id = readers.list_id AND impressions.rank = readers.rank
