-- counted: which recommended items count.
SELECT
  n_shown_known AS known, -- those that could be recommended, as the catalogue says
  n_shown AS "any" -- all of them; a share may exceed 1
FROM runs
