-- ideal_attention: one row per relevant item of a truth list, with the attention of its rank in the ideal order.
--
-- attention: 0 below rank k.
SELECT truth_id, item, merit, CASE WHEN rank <= $k THEN $discount * reached ELSE CAST(0 AS DOUBLE) END AS attention
FROM ideal_readers
