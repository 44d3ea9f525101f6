-- form: the direction of the scale.
SELECT
  lorenz / NULLIF($among * exposure, 0) AS inequality, -- 0 if all items have the same exposure, near 1 if a single item has all of it
  lorenz / NULLIF(($among - 1) * exposure, 0) AS normalized, -- 0 if all items have the same exposure, 1 if a single item has all of it; undefined if there is only one item
  1 - lorenz / NULLIF(($among - 1) * exposure, 0) AS equality, -- 1 if all items have the same exposure, 0 if a single item has all of it
  (lorenz - lowest_lorenz) / NULLIF(highest_lorenz - lowest_lorenz, 0) AS corrected -- 0 if the exposures are as equal as lists of this length can make them, 1 if all lists are the same (Rampisela et al. 2024)
FROM runs
