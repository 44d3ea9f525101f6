-- items_with_several_popularities: Items have several popularities.
--
-- severity: warning
-- order: 126
-- needs: popularity
-- say: {items_with_popularities: item has; items have} several popularities in the items input; the highest
--    counts. Give one row for each item, or a popularity that all rows of an item share.
SELECT items_with_popularities AS n
FROM account
WHERE items_with_popularities > 0
