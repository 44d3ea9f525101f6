-- form: the scale.
SELECT
  exposure * exposure / NULLIF($among * squared_exposure, 0) AS plain, -- 1 if all items have the same exposure, 1 / number of items if a single item has all of it
  (exposure * exposure / NULLIF($among * squared_exposure, 0) - lowest_jain) / NULLIF(highest_jain - lowest_jain, 0) AS corrected -- 1 if the exposures are as equal as lists of this length can make them, 0 if all lists are the same (Rampisela et al. 2024)
FROM runs
