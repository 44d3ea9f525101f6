-- lists_without_negatives: Some lists have no candidate beside the items of their truth.
--
-- A list of relevant items alone ranks each of them first. n: the lists.
-- needs: negatives
-- samples: recs lists_without_negatives
SELECT lists_without_negatives AS n
FROM account
WHERE lists_without_negatives > 0
