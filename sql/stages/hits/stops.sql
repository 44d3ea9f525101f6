-- stops: the chance that a reader stops at each hit.
SELECT list_id, rank, $stop AS stop
FROM hits
