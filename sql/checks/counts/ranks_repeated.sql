-- ranks_repeated: Some ranks occur more than once in their list.
--
-- Usually the table holds several systems or days, and the column that tells them apart is missing. Add this column,
-- or name it with `lists=`.
--
-- n: the repeated ranks.
-- needs: rank
-- samples: recs lists_with_repeated_ranks
-- order: 9
-- say: {n: rank repeats; ranks repeat} within a list{in rank}, such as {recs}. Is a column missing that tells the
--    lists apart? They are identified by {lists}.
SELECT ranks_repeated AS n
FROM account
WHERE ranks_repeated > 0
