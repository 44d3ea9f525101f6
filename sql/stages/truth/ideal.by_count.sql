-- ideal: one row per number of relevant items and rank of an ideal list with this number of items.
--
-- If no rating is needed, ideal lists differ only in their number of relevant items. A small table replaces a sort of the truth.
-- when: columns suffice and max_k <= 200
SELECT counts.rank AS n_relevant, positions.rank AS rank
FROM positions AS counts
JOIN positions ON positions.rank <= counts.rank
