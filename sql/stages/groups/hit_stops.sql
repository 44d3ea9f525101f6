-- hit_stops: one row per hit, with the probability that a reader who gets to it stops there.
SELECT list_id, item, rank, $attention AS stop
FROM stop_chances
