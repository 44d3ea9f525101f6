-- ideal: the best list there is, one row per place, for each number of relevant items.
--
-- Where no rating is read, the best list depends on nothing but how many items are relevant:
-- a table of a few rows stands in for a sort of the truth.
-- when: columns suffice and max_k <= 200
SELECT sizes.rank AS n_relevant, places.rank AS rank
FROM places AS sizes
JOIN places ON places.rank <= sizes.rank
