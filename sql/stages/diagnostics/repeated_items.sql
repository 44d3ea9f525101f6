-- repeated_items: every list of the recommendations, with how many of its rows repeat an item of it.
SELECT presence.list_id, COALESCE(repeats.n_repeated, 0) AS n_repeated
FROM presence
LEFT JOIN repeats ON presence.list_id = repeats.list_id
