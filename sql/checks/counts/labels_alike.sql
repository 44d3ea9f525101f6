-- labels_alike: All items shown have the same label.
--
-- If all of them are clicked, every order of them is perfect. Usually the table has only the clicks: give all items
-- that were shown. Or clicks were joined to the items shown, and the label is 1 or NULL: NULL means not known, so write
-- 0 for the others, as in `COALESCE(clicked, 0)`.
--
-- n: the labels.
-- needs: shown
-- order: 17
-- say: All {n: label is; labels are} the same number above 0{in rating}, so every order of the items shown is perfect.
--    {recs_counted - labels_known: Does the table have all items that were shown? If so, name another {label=}.; If
--    NULL means that nothing came of an item, make it 0, as in COALESCE(clicked, 0).; If NULL, as in # rows, means
--    that nothing came of an item, make it 0, as in COALESCE(clicked, 0).}
SELECT labels_alike AS n
FROM account
WHERE labels_alike > 0
