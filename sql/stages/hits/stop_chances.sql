-- stop_chances: one row per hit, with the probability that a reader who gets to it stops there.
SELECT list_id, item, rank, $stop AS stop
FROM hits
