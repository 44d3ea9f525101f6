-- recommendations_repeated: Some recommendations repeat an item of their list, and no repeats are expected.
--
-- n: the recommendations of an item that their list has already.
-- needs: unique-recs
-- samples: recs lists_with_repeats
SELECT recs_repeated AS n
FROM account
WHERE recs_repeated > 0
