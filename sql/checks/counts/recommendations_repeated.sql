-- recommendations_repeated: Some recommendations repeat an item of their list, and no repeats are expected.
--
-- A list has an item twice, and repeated items are refused: by `duplicates="error"`, or by a metric that follows a
-- library. Keep one row for each list and item. With `duplicates="count"`, each item is credited once.
--
-- n: the recommendations of an item that their list has already.
-- needs: unique-recs
-- samples: recs lists_with_repeats
-- order: 33
-- say: {n: recommendation has; recommendations have} an item that their list has already, such as in {recs}.
--    {repeats}
SELECT recs_repeated AS n
FROM account
WHERE recs_repeated > 0
