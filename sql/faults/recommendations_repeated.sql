-- recommendations_repeated: Some recommendations repeat an item of their list, and repeats are to be refused.
--
-- n: the recommendations of an item that their list has already.
-- needs: refused repeats
-- samples: recs lists_with_repeats
SELECT recs_repeated AS n
FROM account
WHERE recs_repeated > 0
