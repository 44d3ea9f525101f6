-- ranks_repeated: Some ranks occur more than once in their list.
--
-- Often a column is missing that identifies the lists. n: the repeated ranks.
-- needs: rank
-- samples: recs lists_with_repeated_ranks
SELECT ranks_repeated AS n
FROM account
WHERE ranks_repeated > 0
