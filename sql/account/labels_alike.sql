-- labels_alike: labels of the items shown, if all of them are the same number above 0; otherwise 0
--
-- needs: shown
SELECT CASE WHEN MIN(rating) = MAX(rating) AND MIN(rating) > 0 THEN COUNT(*) ELSE 0 END AS labels_alike
FROM judgments
