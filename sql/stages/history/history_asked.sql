-- history_asked: the lists of the recommendations, as the history would know them.
SELECT DISTINCT history_id
FROM presence
