-- form: how the inequality is stated.
SELECT
  lorenz / NULLIF($among * exposure, 0) AS inequality, -- 0: all items alike; near 1: all on one item
  1 - lorenz / NULLIF(($among - 1) * exposure, 0) AS equality -- 1: all items alike; 0: all on one item
FROM runs
