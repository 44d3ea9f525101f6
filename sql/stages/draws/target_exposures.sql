-- target_exposures: one row per relevant item of a truth list, with the exposure that it should have: the mean attention of the items of the same merit.
SELECT truth_id, item, AVG(attention) OVER (PARTITION BY truth_id, merit) AS target
FROM ideal_attention
