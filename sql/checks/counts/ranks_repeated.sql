-- ranks_repeated: Some ranks occur more than once in their list.
--
-- - The table holds several systems or days, and the column that tells them apart is missing: add this column, or name it
--   with `lists=`.
-- - Equal scores have equal ranks, as `RANK()` gives them: use `ROW_NUMBER()`, give the score in place of the rank, or set
--   `ranks="again"`, which ranks tied items by their ids.
--
-- n: the repeated ranks.
-- needs: own ranks
-- samples: recs lists_with_repeated_ranks
-- order: 9
-- say: {n: rank repeats; ranks repeat} within a list{in rank}, such as {recs}. {cause} a column missing that tells the
--    lists apart? They are identified by {lists}.
SELECT ranks_repeated AS n
FROM account
WHERE ranks_repeated > 0
