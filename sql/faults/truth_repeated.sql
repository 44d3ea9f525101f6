-- truth_repeated: Some rows of the truth repeat an item of their list, and no repeats are expected.
--
-- Keep one row for each list and item.
--
-- n: the rows of an item that their list has already.
-- needs: unique-truth
-- samples: truth truth_lists_with_repeats
SELECT truth_repeated AS n
FROM account
WHERE truth_repeated > 0
