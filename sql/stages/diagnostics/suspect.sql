-- suspect: the lists whose ranks are not 1, 2, 3 and so on: some ranks are left out, or repeat.
--
-- Told from sums in one scan, so that only these are looked at rank by rank.
SELECT presence.list_id
FROM presence
LEFT JOIN suspect_beyond ON presence.list_id = suspect_beyond.list_id
WHERE suspect_beyond.list_id IS NOT NULL
  OR presence.n_fifty > 50 OR presence.powers_fifty <> POWER(CAST(2 AS DOUBLE), presence.n_fifty + 1) - 2
  OR presence.n_hundred > 50 OR presence.powers_hundred <> POWER(CAST(2 AS DOUBLE), presence.n_hundred + 1) - 2
