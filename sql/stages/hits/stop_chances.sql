-- stop_chances: the hits, with the probability that a reader stops at each.
SELECT list_id, rank, $stop AS stop
FROM hits
