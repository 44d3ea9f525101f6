-- ideal_stop_chances: one row per relevant item in the ideal order of a truth list, with the probability that a reader who gets to it stops there.
SELECT truth_id, item, rank, $merit AS merit, $stop AS stop
FROM ideal_order
