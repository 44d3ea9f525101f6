-- truth_repeated: Some rows of the truth repeat an item of their list, and no repeats are expected.
--
-- Keep one row for each list and item.
--
-- n: the rows of an item that their list has already.
-- needs: unique-truth
-- samples: truth truth_lists_with_repeats
-- order: 34
-- say: {n: row; rows} of the truth have an item that their list has already, such as in {truth}. {repeats}
SELECT truth_repeated AS n
FROM account
WHERE truth_repeated > 0
